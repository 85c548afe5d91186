import { AgonError } from '../errors.ts';
import { findJob, listJobs, type Job, type JobAnswer, type ReportExtras } from '../jobs/index.ts';
import { basename } from 'node:path';

/**
 * An answer, written for a reader: a page, Markdown, its JSON, or a notice. What a notice is, its job says: of a
 * moderation it is for the person whose content it was, of an evaluation a summary for those who answer for the
 * evaluated model, of an analysis its decision brief.
 *
 * @example writeFileSync('report.html', renderReport(answer, 'html', { policy }))
 */
export function renderReport(answer: JobAnswer, format: TextFormat, extras: ReportExtras = {}): string {
  if (format === 'json') return `${JSON.stringify(answer, null, 2)}\n`;
  return jobOf(answer).report[format](answer, extras);
}

/**
 * The decision brief of an analysis as a PDF of one or two pages: outlook, verdicts, number conflicts, risks,
 * questions.
 *
 * @example writeFileSync('brief.pdf', await renderPdfBrief(analysis))
 */
export async function renderPdfBrief(answer: JobAnswer): Promise<Uint8Array> {
  const { id, report } = jobOf(answer);
  if (report.pdf) return report.pdf(answer);
  const able = listJobs().filter((job) => job.report.pdf);
  throw new AgonError(
    'unknown-report-format',
    `There is no PDF report of the job ${id}.`,
    `There is one of ${able.map((job) => job.id).join(', ')}; take html, markdown or notice.`,
  );
}

function jobOf(answer: JobAnswer): Job {
  const job = findJob(answer.job);
  if (job) return job;
  throw new AgonError(
    'unknown-job',
    `There is no report of the job ${JSON.stringify(answer.job)}.`,
    'Name the module of the job with --job or under jobs in agon.config, or update Agon if it is of a later version.',
  );
}

/** What `renderReport` writes. */
export type TextFormat = 'html' | 'markdown' | 'json' | 'notice';
/** What a report can be; not every job has a `pdf`. */
export type ReportFormat = TextFormat | 'pdf';

/** The format that a file's name asks for, where only an analysis can be a PDF. */
export function parseTextFormat(path: string): TextFormat {
  const format = parseReportFormat(path);
  if (format !== 'pdf') return format;
  throw new AgonError(
    'unknown-report-format',
    `There is no PDF of this: ${JSON.stringify(path)}.`,
    'Only the analysis of documents has a PDF brief. End the name in .html, .md, .json or .txt.',
  );
}

/**
 * The format that a file's name asks for. `notice`, `notice.md` and any `.txt` are the notice; `.pdf` is the brief of
 * an analysis.
 */
export function parseReportFormat(path: string): ReportFormat {
  const name = basename(path).toLowerCase();
  if (/^(?:.*\.)?notice(?:\.md|\.txt)?$|\.txt$/.test(name)) return 'notice';
  if (/\.html?$/.test(name)) return 'html';
  if (/\.(?:md|markdown)$/.test(name)) return 'markdown';
  if (name.endsWith('.json')) return 'json';
  if (name.endsWith('.pdf')) return 'pdf';
  throw new AgonError(
    'unknown-report-format',
    `No report format goes by the name of ${JSON.stringify(path)}.`,
    'End the name in .html, .md, .json or .txt (the notice to the affected user, the summary of an evaluation, ' +
      'the brief of an analysis), or give the word notice; an analysis can be a .pdf too.',
  );
}
