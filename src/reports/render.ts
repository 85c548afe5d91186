import { basename } from 'node:path';
import { AgonError } from '../errors.ts';
import type { EvaluationAnswer } from '../evaluation/index.ts';
import type { ModerationAnswer } from '../moderation/index.ts';
import type { Policy } from '../policy/index.ts';
import * as evaluation from './evaluation/index.ts';
import * as moderation from './moderation/index.ts';

export type ReportFormat = 'html' | 'markdown' | 'json' | 'notice';

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
 * person whose content it was, that of an evaluation a summary for those who answer for the evaluated model.
 *
 * @example writeFileSync('report.html', renderReport(answer, 'html', { policy }))
 */
export function renderReport(answer: ModerationAnswer | EvaluationAnswer, format: ReportFormat, extras: ReportExtras = {}): string {
  if (format === 'json') return `${JSON.stringify(answer, null, 2)}\n`;
  if (isEvaluation(answer)) return evaluationReport(answer, format, extras);
  if (isModeration(answer)) return moderationReport(answer, format, extras);
  throw new AgonError('unknown-job', `There is no report of the job ${JSON.stringify((answer as { job: unknown }).job)}.`,
    'Pass an answer of moderate() or evaluate(), or update Agon if the answer is of a later version.');
}

type WrittenFormat = Exclude<ReportFormat, 'json'>;

function moderationReport(answer: ModerationAnswer, format: WrittenFormat, { images, policy, appeal }: ReportExtras): string {
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

const isEvaluation = (answer: ModerationAnswer | EvaluationAnswer): answer is EvaluationAnswer => answer.job === 'evaluation';
const isModeration = (answer: ModerationAnswer | EvaluationAnswer): answer is ModerationAnswer => answer.job === 'moderation';

/** The format that a file's name asks for. `notice`, `notice.md` and any `.txt` are the notice. */
export function reportFormatOf(path: string): ReportFormat {
  const name = basename(path).toLowerCase();
  if (/^(?:.*\.)?notice(?:\.md|\.txt)?$|\.txt$/.test(name)) return 'notice';
  if (/\.html?$/.test(name)) return 'html';
  if (/\.(?:md|markdown)$/.test(name)) return 'markdown';
  if (name.endsWith('.json')) return 'json';
  throw new AgonError('unknown-report-format', `No report format goes by the name of ${JSON.stringify(path)}.`,
    'End the name in .html, .md, .json or .txt (the notice to the affected user, or the summary of an evaluation), or give the word notice.');
}
