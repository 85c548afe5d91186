import { AgonError } from '../../errors.ts';
import type { JobAnswer, JudgedDebate, JudgeEvent } from '../../jobs/index.ts';
import { exitCodes } from '../print-error.ts';
import { readableWidth } from '../terminal/live-view.ts';
import { printLines, printNote } from '../terminal/style.ts';
import type { JobView } from '../views/job-view.ts';
import { renderRecalled, watchCase, type StartCase } from '../views/watch-case.ts';
import { assertReports, writeReports, type ReportingJob, type ReportOptions } from './write-reports.ts';

/** The flags of every command that judges one subject. */
export interface OneFlags {
  json?: boolean;
  quiet?: boolean;
  report?: string[];
  failOn?: string[];
}

/** One subject of a job, and how it is shown. */
export interface OneCase<Answer extends JobAnswer, Event extends JudgeEvent, State> {
  job: { debates(answer: Answer): readonly JudgedDebate[] };
  view: JobView<Answer, Event, State>;
  start: StartCase<Event, Answer>;
  /** What is judged, for the view. */
  names?: readonly string[];
  /** What reports show beyond the answer. */
  extras?: Omit<ReportOptions, 'reports'>;
}

/** Judges one subject, shows the debate and the verdict, writes the reports. Returns the exit code. */
export async function judgeOne<Answer extends JobAnswer, Event extends JudgeEvent, State>(
  flags: OneFlags,
  { job, view, start, names, extras }: OneCase<Answer, Event, State>,
): Promise<number> {
  const isNotice = flags.report?.includes('notice') === true;
  const silent = flags.json === true || flags.quiet === true || isNotice;
  const watched = await watchCase(view, start, { names, silent });
  const { result: answer } = watched;
  if (flags.json) printLines([JSON.stringify(answer)]);
  else if (!isNotice)
    printLines([...view.renderVerdict(answer, readableWidth(process.stdout)), ...renderRecalled(watched)]);
  // A printed verdict includes the warnings.
  if (flags.json || isNotice) for (const warning of view.listWarnings?.(answer) ?? []) printNote(warning);
  await writeReports(answer, { ...extras, reports: flags.report ?? [] });
  return job.debates(answer).some(({ verdict }) => flags.failOn?.includes(verdict.label))
    ? exitCodes.failOn
    : exitCodes.judged;
}

/** Fails if a report cannot be written, or two flags write to the same place: before anything is paid for. */
export function assertOutputs(job: ReportingJob, { json, report = [] }: OneFlags): void {
  assertReports(job, report);
  if (json && report.includes('notice'))
    throw new AgonError(
      'bad-flag',
      '--json and --report notice both print to standard output.',
      'Write the notice to a file: --report notice.txt.',
    );
}
