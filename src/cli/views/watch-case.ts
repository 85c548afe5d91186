import { AgonError } from '../../errors.ts';
import type { JudgeEvent } from '../../jobs/index.ts';
import { listenForInterrupt } from '../process.ts';
import { drawLive, readableWidth } from '../terminal/live-view.ts';
import { printLines, style } from '../terminal/style.ts';
import type { CaseView } from './job-view.ts';

/** What came of a case, and how many of its turns were recalled. */
export interface Watched<Result> {
  result: Result;
  turns: number;
  recalled: number;
}

/** Starts a case; `stream` asks for what is said while it is said. */
export type StartCase<Event extends JudgeEvent, Result> = (options: {
  signal: AbortSignal;
  stream: boolean;
}) => AsyncGenerator<Event, Result, void>;

/** Judges a case to its end. Unless `silent`, it is shown: live in a terminal, at its end elsewhere. Ctrl-C stops it. */
export async function watchCase<Event extends JudgeEvent, State, Result>(
  view: CaseView<Event, State>,
  start: StartCase<Event, Result>,
  { names = [], silent = false }: { names?: readonly string[]; silent?: boolean } = {},
): Promise<Watched<Result>> {
  const interrupt = listenForInterrupt();
  const count = { turns: 0, recalled: 0 };
  let state = view.start(names);
  let isOver = false;
  const live =
    silent || !process.stdout.isTTY
      ? null
      : drawLive(process.stdout, (width) => (isOver && view.isTransient ? [] : view.draw(state, width)));
  try {
    live?.changed();
    const events = start({ signal: interrupt.signal, stream: live !== null });
    let next = await events.next();
    for (; !next.done; next = await events.next()) {
      const event = next.value;
      if (event.type === 'turn-end') {
        count.turns += 1;
        if (event.replayed) count.recalled += 1;
      }
      state = view.advance(state, event);
      live?.changed();
    }
    if (!live && !silent && !view.isTransient)
      printLines(view.draw(state, readableWidth(process.stdout)).flatMap(({ lines }) => lines));
    return { result: next.value, ...count };
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    throw new AgonError(
      'cancelled',
      'Judging was stopped.',
      'Run the same command again to continue; recorded or cached answers are not paid for twice.',
      { cause: error },
    );
  } finally {
    isOver = true;
    live?.end();
    interrupt.dispose();
  }
}

/** Recalled turns cost nothing now: they were paid for before. */
export function renderRecalled({ turns, recalled }: Pick<Watched<unknown>, 'turns' | 'recalled'>): string[] {
  if (recalled === 0) return [];
  return [
    style(
      'dim',
      recalled === turns
        ? '  Recalled from the ledger; no model was called.'
        : `  ${recalled} of ${turns} turns were recalled from the ledger.`,
    ),
  ];
}
