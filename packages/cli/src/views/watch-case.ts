import { AgonError } from '@agonhq/engine/agon-error';
import type { JobCorrection, JudgeEvent, Job, JobAnswer } from '@agonhq/judges/job';
import { listenForInterrupt } from '../process.ts';
import { drawLive, readableWidth } from '../terminal/live-view.ts';
import { printLines, style } from '../terminal/style.ts';
import type { PrintedBlock } from './debate-parts.ts';

/** How a terminal shows a case while it is judged: a state, made of the events so far. */
export interface CaseView<Event extends JudgeEvent = JudgeEvent, State = unknown> {
  /** Whether the view disappears when the case is judged, because the answer shows all of it. */
  readonly isTransient: boolean;
  /** What is shown before anything happens; `names` is what is judged. */
  start(names: readonly string[]): State;
  advance(state: State, event: Event): State;
  draw(state: State, width: number): PrintedBlock[];
}

/** How a terminal shows the cases of a job: while they are judged, and from the record. */
export interface JobView<
  Answer extends JobAnswer = JobAnswer,
  Event extends JudgeEvent = JudgeEvent,
  State = unknown,
> extends CaseView<Event, State> {
  /** The state at the end of a recorded case. */
  rebuild(answer: Answer): State;
  /** `corrections`: what people said of its claims since. */
  renderVerdict(answer: Answer, width: number, corrections?: readonly JobCorrection[]): string[];
  /** What --quiet prints, where the verdict is only a part of what else is said. */
  renderBriefly?(answer: Answer, width: number, corrections?: readonly JobCorrection[]): string[];
  /** Warnings that a batch prints once, however many answers carry them. */
  listWarnings?(answer: Answer): readonly string[];
}

const ownViews: Readonly<Record<string, () => Promise<JobView>>> = {
  moderation: async () => (await import('./moderation-view.ts')).moderationView,
  evaluation: async () => (await import('./evaluation-view.ts')).evaluationView,
  documents: async () => (await import('./documents-view.ts')).documentsView,
};

/** The view of a job: its own, or one that shows any debate. */
export async function findView(job: Job): Promise<JobView> {
  if (Object.hasOwn(ownViews, job.id)) return ownViews[job.id]!();
  return (await import('./generic-view.ts')).createGenericView(job);
}

/** A recorded case, as it was shown at the time; with `quiet`, only the verdict. */
export function renderRecorded(
  view: JobView,
  answer: JobAnswer,
  width: number,
  { quiet = false, corrections = [] }: { quiet?: boolean; corrections?: readonly JobCorrection[] } = {},
): string[] {
  const debate = quiet || view.isTransient ? [] : view.draw(view.rebuild(answer), width);
  return [...debate.flatMap(({ lines }) => lines), ...renderAnswer(view, answer, { width, quiet, corrections })];
}

export function renderAnswer(
  view: JobView,
  answer: JobAnswer,
  { width, quiet, corrections }: { width: number; quiet: boolean; corrections?: readonly JobCorrection[] },
): string[] {
  return (quiet && view.renderBriefly?.(answer, width, corrections)) || view.renderVerdict(answer, width, corrections);
}

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

/** Shows a case: live in a terminal, at its end elsewhere. */
function showCase<Event extends JudgeEvent, State>(view: CaseView<Event, State>, names: readonly string[]) {
  let state = view.start(names);
  let isOver = false;
  const draw = (width: number) => (isOver && view.isTransient ? [] : view.draw(state, width));
  const live = process.stdout.isTTY ? drawLive(process.stdout, draw) : null;
  live?.changed();
  return {
    isLive: live !== null,
    advance(event: Event) {
      state = view.advance(state, event);
      live?.changed();
    },
    printEnd() {
      if (!live && !view.isTransient)
        printLines(view.draw(state, readableWidth(process.stdout)).flatMap(({ lines }) => lines));
    },
    close() {
      isOver = true;
      live?.end();
    },
  };
}

/** Judges a case to its end, and shows it unless `silent`. Ctrl-C stops it. */
export async function watchCase<Event extends JudgeEvent, State, Result>(
  view: CaseView<Event, State>,
  start: StartCase<Event, Result>,
  { names = [], silent = false }: { names?: readonly string[]; silent?: boolean } = {},
): Promise<Watched<Result>> {
  const interrupt = listenForInterrupt();
  const count = { turns: 0, recalled: 0 };
  const shown = silent ? null : showCase(view, names);
  try {
    const events = start({ signal: interrupt.signal, stream: shown?.isLive === true });
    let next = await events.next();
    for (; !next.done; next = await events.next()) {
      const event = next.value;
      if (event.type === 'turn-end') {
        count.turns += 1;
        if (event.replayed) count.recalled += 1;
      }
      shown?.advance(event);
    }
    shown?.printEnd();
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
    shown?.close();
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
