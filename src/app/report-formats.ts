import { basename } from 'node:path';
import { AgonError } from '../errors.ts';

/** What `renderReport` writes. */
export type TextFormat = 'html' | 'markdown' | 'json' | 'notice';
/** What a report can be; not every job has a `pdf`. */
export type ReportFormat = TextFormat | 'pdf';

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
