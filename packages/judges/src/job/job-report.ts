import type { Policy } from '@agonhq/engine/policy';
import type { JobCorrection } from './correction.ts';
import type { Arrangement, FindingEdit } from './findings.ts';
import type { JobAnswer } from './job-answer.ts';

/** How an answer is written for a reader. */
export interface JobReport<Answer extends JobAnswer = JobAnswer> {
  /** One self-contained page, in place of the one that Agon draws. */
  html?(answer: Answer, extras: ReportExtras): string;
  markdown(answer: Answer, extras: ReportExtras): string;
  /** A short text for those whom the decision concerns. */
  notice(answer: Answer, extras: ReportExtras): string;
  /** Reports that are files of another kind. */
  files?: Partial<Record<FileFormat, ReportFile<Answer>>>;
}

/**
 * Draws an answer as one self-contained page. The console's own views do: they are built for Agon to load when somebody
 * asks for a page.
 */
export type DrawReport = (given: {
  job: { id: string; title: string };
  answer: JobAnswer;
  extras: ReportExtras;
}) => string;

/**
 * `pdf`: a brief. `annotated`: a copy of what was judged with the findings in its margin. Others: a table of findings.
 */
export type FileFormat = 'pdf' | 'annotated' | 'xlsx' | 'csv';

export interface ReportFile<Answer extends JobAnswer = JobAnswer> {
  mediaType: string;
  render(answer: Answer, findSource: FindSource, extras?: ReportExtras): Promise<Uint8Array>;
}

/** A file that was judged, by its `sha256:…`; null where it is not at hand. */
export type FindSource = (hash: string) => Promise<Uint8Array | null>;

/** What a report may show beyond the answer. */
export interface ReportExtras {
  /** The judged images by their ids, as data URIs. */
  images?: Record<string, string>;
  /** Where the judged recordings lie, by their ids: paths that a page can link to. */
  recordings?: Record<string, string>;
  /** For the titles and texts of clauses. */
  policy?: Policy;
  /** How the affected person can contest the decision. */
  appeal?: string;
  /** What a person decided since, where that stands: the notice is about it. */
  decision?: ReportDecision;
  /** What people said of its claims since, those that stand. */
  corrections?: readonly JobCorrection[];
  /** What people made of its findings for the report. */
  edits?: readonly FindingEdit[];
  /** Which findings a table or a brief has. */
  arranged?: Arrangement;
}

/** What a person decided on a case. */
export interface ReportDecision {
  label: 'safe' | 'unsafe';
  clause: string | null;
  action: string | null;
}
