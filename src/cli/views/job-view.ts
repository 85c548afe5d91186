import type { Job, JobAnswer, JudgeEvent } from '../../jobs/index.ts';
import type { Block } from './debate-parts.ts';
import { documentsView } from './documents-view.ts';
import { evaluationView } from './evaluation-view.ts';
import { createGenericView } from './generic-view.ts';
import { moderationView } from './moderation-view.ts';

/** How a terminal shows a case while it is judged: a state, made of the events so far. */
export interface CaseView<Event extends JudgeEvent = JudgeEvent, State = unknown> {
  /** Whether the view disappears when the case is judged, because the answer shows all of it. */
  readonly isTransient: boolean;
  /** What is shown before anything happens; `names` is what is judged. */
  start(names: readonly string[]): State;
  advance(state: State, event: Event): State;
  draw(state: State, width: number): Block[];
}

/** How a terminal shows the cases of a job: while they are judged, and from the record. */
export interface JobView<
  Answer extends JobAnswer = JobAnswer,
  Event extends JudgeEvent = JudgeEvent,
  State = unknown,
> extends CaseView<Event, State> {
  /** The id of the job. */
  readonly job: string;
  /** The state at the end of a recorded case. */
  rebuild(answer: Answer): State;
  renderVerdict(answer: Answer, width: number): string[];
  /** Warnings that a batch prints once, however many answers carry them. */
  listWarnings?(answer: Answer): readonly string[];
}

const ownViews: readonly JobView[] = [moderationView, evaluationView, documentsView];

/** The view of a job: its own, or one that shows any debate. */
export function findView(job: Job): JobView {
  return ownViews.find((view) => view.job === job.id) ?? createGenericView(job);
}

/** A recorded case, as it was shown at the time; with `quiet`, only the verdict. */
export function renderRecorded(view: JobView, answer: JobAnswer, width: number, quiet = false): string[] {
  const debate = quiet || view.isTransient ? [] : view.draw(view.rebuild(answer), width);
  return [...debate.flatMap(({ lines }) => lines), ...view.renderVerdict(answer, width)];
}
