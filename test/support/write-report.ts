import { ownJobs } from '@agonhq/core/own-jobs';
import type { JobAnswer, ReportExtras } from '@agonhq/judges/job';

/** A report that an answer's job writes by itself, without the console's views. */
export function writeReport(
  answer: JobAnswer,
  format: 'html' | 'markdown' | 'notice',
  extras: ReportExtras = {},
): string {
  return ownJobs.require(answer.job).report[format]!(answer, extras);
}
