import type { Fingerprint } from '../fingerprint.ts';
import type { AnswerUsage, Provenance } from './answer.ts';
import type { Transcript } from './transcript.ts';
import type { Verdict } from './verdict.ts';

/** What every answer has, whatever its job. */
export interface JobAnswer {
  version: 1;
  id: string;
  job: string;
  transcript: Transcript;
  usage: AnswerUsage;
  provenance: Provenance;
  /** `sha256:…` of all of the above. */
  seal: string;
}

/** What was decided, in the words of lists and tables. */
export interface AnswerSummary {
  /** What whoever sent it calls it; null or absent where they call it nothing. */
  item?: string | null;
  label: string;
  /** How risky it is and the bar it is held against; null where nobody was heard, and where the job states no risk. */
  risk: number | null;
  bar: number | null;
  /** Whether a person should look at it. */
  escalate: boolean;
  rule: { id: string; why: string };
  /** Clauses of the policy. */
  categories: readonly string[];
  /** What the policy asks for, and how grave it is; null or absent where nothing is proposed. */
  action?: string | null;
  severity?: Verdict['severity'];
}

/** What lists of cases are filtered and sorted by, beside the summary. */
export interface CaseIndex {
  /** Categories of the policy, each once. */
  categories: readonly string[];
  /** Whether somebody gave no answer, or something could not be read. */
  degraded: boolean;
  /** What was judged: `text`, `image`, `documents`; null where nobody said. */
  modality: string | null;
  /** How far apart the two sides ended, 0 to 1; null where there are no two sides. */
  disagreement: number | null;
  /** What stands for the pixels of its images; absent where there are none. */
  pictures?: readonly (Fingerprint & { image: string })[];
}

/** What a ledger must know of an answer to list it, beside what all answers have. */
export interface AnswerDescription {
  summary: AnswerSummary;
  index: Partial<CaseIndex>;
  /** Whether people review such cases: those that are judged by a policy. */
  isReviewed: boolean;
}
