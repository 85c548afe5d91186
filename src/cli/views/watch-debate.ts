import type { CaseFile } from '../../debate/index.ts';
import { AgonError } from '../../errors.ts';
import { replayState, type TrialEvent } from './debate-state.ts';
import { listenForInterrupt } from '../process.ts';
import { showDebateLive, readableWidth, type BlocksOf } from '../terminal/live-view.ts';
import { printLines, style } from '../terminal/style.ts';

/** A trial and how its job shows it while it goes on. */
export interface ShownTrial<File extends CaseFile, Result> {
  trial(options: { signal: AbortSignal; stream: boolean }): AsyncGenerator<TrialEvent<File>, Result, void>;
  blocks: BlocksOf<File>;
}

/** What came of a trial, and how many of its turns were recalled. */
export interface Watched<Result> {
  result: Result;
  turns: number;
  recalled: number;
}

/** What a trial comes to; unless `silent` it is shown: live in a terminal, at its end elsewhere. */
export async function watchDebate<File extends CaseFile, Result>(
  { trial, blocks }: ShownTrial<File, Result>,
  silent = false,
): Promise<Watched<Result>> {
  const interrupt = listenForInterrupt();
  const view = !silent && process.stdout.isTTY ? showDebateLive(process.stdout, blocks) : null;
  const events: TrialEvent<File>[] = [];
  const count = { turns: 0, recalled: 0 };
  try {
    const debate = trial({ signal: interrupt.signal, stream: view !== null });
    let next = await debate.next();
    for (; !next.done; next = await debate.next()) {
      if (next.value.type === 'turn-end') {
        count.turns += 1;
        if (next.value.replayed) count.recalled += 1;
      }
      if (view) view.show(next.value);
      else events.push(next.value);
    }
    if (!view && !silent)
      printLines(blocks(replayState(events), readableWidth(process.stdout)).flatMap((block) => block.lines));
    return { result: next.value, ...count };
  } catch (error) {
    if (!interrupt.signal.aborted) throw error;
    throw stoppedError('The debate', error);
  } finally {
    view?.end();
    interrupt.dispose();
  }
}

/** What a reader of the cost must know: recalled turns were paid for when they were first said. */
export function renderRecalled({ turns, recalled }: Pick<Watched<unknown>, 'turns' | 'recalled'>): string[] {
  if (recalled === 0) return [];
  return [
    style(
      'dim',
      recalled === turns
        ? '  Recalled from the ledger: nobody was asked again.'
        : `  ${recalled} of ${turns} turns were recalled from the ledger.`,
    ),
  ];
}

export function stoppedError(what: string, cause: unknown): AgonError {
  return new AgonError(
    'cancelled',
    `${what} was stopped.`,
    'Run the same command again: what is on record, or in a --cache FOLDER, is not paid for twice.',
    { cause },
  );
}
