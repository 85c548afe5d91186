import { basename } from 'node:path';
import { AgonError } from '../errors.ts';
import type { Policy } from '../policy/index.ts';
import { htmlReport } from './html.ts';
import { markdownReport } from './markdown.ts';
import type { ModerationAnswer } from './moderation-answer.ts';
import { notice } from './notice.ts';

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
 * An answer, written for a reader: a page, Markdown, its JSON, or the notice to the person whose content it was.
 *
 * @example writeFileSync('report.html', renderReport(answer, 'html', { policy }))
 */
export function renderReport(answer: ModerationAnswer, format: ReportFormat, extras: ReportExtras = {}): string {
  switch (format) {
    case 'html':
      return htmlReport(answer, extras.images ?? {}, extras.policy);
    case 'markdown':
      return markdownReport(answer, extras.policy);
    case 'json':
      return `${JSON.stringify(answer, null, 2)}\n`;
    case 'notice':
      return notice(answer, extras.policy, extras.appeal);
  }
}

/** The format that a file's name asks for. `notice`, `notice.md` and any `.txt` are the notice. */
export function reportFormatOf(path: string): ReportFormat {
  const name = basename(path).toLowerCase();
  if (/^(?:.*\.)?notice(?:\.md|\.txt)?$|\.txt$/.test(name)) return 'notice';
  if (/\.html?$/.test(name)) return 'html';
  if (/\.(?:md|markdown)$/.test(name)) return 'markdown';
  if (name.endsWith('.json')) return 'json';
  throw new AgonError('unknown-report-format', `No report format goes by the name of ${JSON.stringify(path)}.`,
    'End the name in .html, .md, .json or .txt (the notice to the affected user), or give the word notice.');
}
