import { AgonError } from '@agonhq/engine/agon-error';
import type {
  DrawReport,
  FileFormat,
  FindSource,
  Job,
  JobAnswer,
  Jobs,
  ReportExtras,
  ReportFile,
} from '@agonhq/judges/job';
import { ownJobs } from '../own-jobs.ts';
import { loadReportViews } from './load-report-views.ts';
import path from 'node:path';

/**
 * An answer, written for a reader: a page, Markdown, its JSON, or a notice. What a notice is, its job says: of a
 * moderation it is for the person whose content it was, of an evaluation a summary for those who answer for the
 * evaluated model, of an analysis its decision brief.
 *
 * @example writeFileSync('report.html', await renderReport(answer, 'html', { policy }))
 */
export async function renderReport(
  answer: JobAnswer,
  format: TextFormat,
  extras: ReportExtras = {},
  jobs: Jobs = ownJobs,
): Promise<string> {
  if (format === 'json') return `${JSON.stringify(answer, null, 2)}\n`;
  const job = jobOf(jobs, answer);
  if (format !== 'html') return job.report[format](answer, extras);
  if (job.report.html) return job.report.html(answer, extras);
  const { drawReport } = (await loadReportViews()) as { drawReport: DrawReport };
  return drawReport({ job: { id: job.id, title: job.title }, answer, extras });
}

/**
 * A report that is a file of another kind: of an analysis the decision brief (`pdf`), a copy of the judged PDF with the
 * findings in its margin (`annotated`, which needs the file itself), and the findings as a table (`xlsx`, `csv`).
 *
 * @example writeFileSync('findings.xlsx', await renderReportFile(analysis, 'xlsx'))
 */
export async function renderReportFile(
  answer: JobAnswer,
  format: FileFormat,
  findSource: FindSource = async () => null,
  extras: ReportExtras = {},
  jobs: Jobs = ownJobs,
): Promise<Uint8Array> {
  return requireReportFile(jobs, jobOf(jobs, answer), format).render(answer, findSource, extras);
}

/** The report of a job in a format, or one line that says which jobs have it. */
export function requireReportFile(jobs: Jobs, { id, report }: Job, format: FileFormat, name?: string): ReportFile {
  const file = report.files?.[format];
  if (file) return file;
  const able = jobs.list().filter((job) => job.report.files?.[format]);
  throw new AgonError(
    'unknown-report-format',
    `There is no ${format} report of the job ${id}${name === undefined ? '' : `: ${JSON.stringify(name)}`}.`,
    `There is one of ${able.map((job) => job.id).join(', ')}; take html, markdown, json or notice ` +
      '(.html, .md, .json, .txt).',
  );
}

function jobOf(jobs: Jobs, answer: JobAnswer): Job {
  const job = jobs.find(answer.job);
  if (job) return job;
  throw new AgonError(
    'unknown-job',
    `There is no report of the job ${JSON.stringify(answer.job)}.`,
    'Name the module of the job with --job or under jobs in agon.config, or update Agon if it is of a later version.',
  );
}

/** What `renderReport` writes. */
export type TextFormat = 'html' | 'markdown' | 'json' | 'notice';
/** What a report can be; not every job has files. */
export type ReportFormat = TextFormat | FileFormat;

export function isTextFormat(format: ReportFormat): format is TextFormat {
  return ['html', 'markdown', 'json', 'notice'].includes(format);
}

/**
 * The format that a file's name asks for. `notice`, `notice.md` and any `.txt` are the notice; `annotated.pdf` is the
 * annotated copy, any other `.pdf` the brief of an analysis.
 */
export function parseReportFormat(file: string): ReportFormat {
  const name = path.basename(file).toLowerCase();
  if (/^(?:.*\.)?notice(?:\.md|\.txt)?$|\.txt$/.test(name)) return 'notice';
  if (/\.html?$/.test(name)) return 'html';
  if (/\.(?:md|markdown)$/.test(name)) return 'markdown';
  if (name.endsWith('.json')) return 'json';
  if (/(?:^|[^\p{L}])annotated\.pdf$/u.test(name)) return 'annotated';
  const [, ending] = /\.(pdf|xlsx|csv)$/.exec(name) ?? [];
  if (ending) return ending as FileFormat;
  throw new AgonError(
    'unknown-report-format',
    `No report format goes by the name of ${JSON.stringify(file)}.`,
    'End the name in .html, .md, .json or .txt (the notice to the affected user, the summary of an evaluation, ' +
      'the brief of an analysis), or give the word notice; an analysis can be a .pdf, annotated.pdf, .xlsx or .csv ' +
      'too.',
  );
}
