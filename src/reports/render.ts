import { basename } from 'node:path';
import type { Analysis } from '../jobs/documents/index.ts';
import { AgonError } from '../errors.ts';
import type { EvaluationAnswer } from '../jobs/evaluation/index.ts';
import type { ModerationAnswer } from '../jobs/moderation/index.ts';
import type { Policy } from '../policy/index.ts';
import * as documents from './documents/index.ts';
import * as evaluation from './evaluation/index.ts';
import * as moderation from './moderation/index.ts';

/** What `renderReport` writes. */
export type TextFormat = 'html' | 'markdown' | 'json' | 'notice';
/** What a report can be; a `pdf` is what `renderPdfBrief` makes of an analysis. */
export type ReportFormat = TextFormat | 'pdf';

/** What a report may show beyond the answer. */
export interface ReportExtras {
  /** The judged images by their ids, as data URIs. */
  images?: Record<string, string>;
  /** For the titles and texts of clauses. */
  policy?: Policy;
  /** How the affected person can contest the decision. */
  appeal?: string;
}

/**
 * An answer, written for a reader: a page, Markdown, its JSON, or a notice. The notice of a moderation is for the
 * person whose content it was, that of an evaluation a summary for those who answer for the evaluated model, that of
 * an analysis its decision brief.
 *
 * @example writeFileSync('report.html', renderReport(answer, 'html', { policy }))
 */
export function renderReport(
  answer: ModerationAnswer | EvaluationAnswer | Analysis,
  format: TextFormat,
  extras: ReportExtras = {},
): string {
  if (format === 'json') return `${JSON.stringify(answer, null, 2)}\n`;
  if (isEvaluation(answer)) return evaluationReport(answer, format, extras);
  if (isModeration(answer)) return moderationReport(answer, format, extras);
  if (isAnalysis(answer)) return analysisReport(answer, format);
  throw new AgonError(
    'unknown-job',
    `There is no report of the job ${JSON.stringify((answer as { job: unknown }).job)}.`,
    'Pass an answer of moderate(), evaluate() or analyze(), or update Agon if the answer is of a later version.',
  );
}

/**
 * The decision brief of an analysis as a PDF of one or two pages: outlook, verdicts, number conflicts, risks,
 * questions.
 *
 * @example writeFileSync('brief.pdf', await renderPdfBrief(analysis))
 */
export function renderPdfBrief(analysis: Analysis): Promise<Uint8Array> {
  return documents.pdfBrief(analysis);
}

type WrittenFormat = Exclude<TextFormat, 'json'>;

function moderationReport(
  answer: ModerationAnswer,
  format: WrittenFormat,
  { images, policy, appeal }: ReportExtras,
): string {
  switch (format) {
    case 'html':
      return moderation.htmlReport(answer, images ?? {}, policy);
    case 'markdown':
      return moderation.markdownReport(answer, policy);
    case 'notice':
      return moderation.notice(answer, policy, appeal);
  }
}

function evaluationReport(answer: EvaluationAnswer, format: WrittenFormat, { policy }: ReportExtras): string {
  switch (format) {
    case 'html':
      return evaluation.htmlReport(answer, policy);
    case 'markdown':
      return evaluation.markdownReport(answer, policy);
    case 'notice':
      return evaluation.summary(answer, policy);
  }
}

function analysisReport(analysis: Analysis, format: WrittenFormat): string {
  switch (format) {
    case 'html':
      return documents.htmlReport(analysis);
    case 'markdown':
      return documents.markdownReport(analysis);
    case 'notice':
      return documents.summary(analysis);
  }
}

type Judged = ModerationAnswer | EvaluationAnswer | Analysis;
const isEvaluation = (answer: Judged): answer is EvaluationAnswer => answer.job === 'evaluation';
const isModeration = (answer: Judged): answer is ModerationAnswer => answer.job === 'moderation';
const isAnalysis = (answer: Judged): answer is Analysis => answer.job === 'documents';

/** The format that a file's name asks for, where only an analysis can be a PDF. */
export function textFormatOf(path: string): TextFormat {
  const format = reportFormatOf(path);
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
export function reportFormatOf(path: string): ReportFormat {
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
