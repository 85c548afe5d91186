import type { Source } from '../evidence/index.ts';
import type { Calibration } from './calibration.ts';
import type { Observation } from './case-file.ts';
import type { Precedent, Retrieval } from './precedent.ts';
import type { Transcript } from './transcript.ts';
import type { Usage } from './usage.ts';
import type { Verdict } from './verdict.ts';

/** The version of the JSON shape of an answer. */
export const answerVersion = 1;

/** What every job returns: the verdict, and everything needed to check it. */
export interface Answer<Subject = unknown, Label extends string = string> {
  version: typeof answerVersion;
  id: string;
  job: string;
  subject: Subject;
  /** What the debaters saw and evidence points into. */
  sources: readonly (Source | Observation)[];
  verdict: Verdict<Label>;
  transcript: Transcript;
  precedents: readonly Precedent[];
  /** What the search left out, and how the library was; absent when nobody searched. */
  retrieval?: Omit<Retrieval, 'precedents'>;
  usage: AnswerUsage;
  provenance: Provenance;
  /** `sha256:…` of all of the above. */
  seal: string;
}

export interface AnswerUsage extends Usage {
  latencyMs: number;
  byModel: Record<string, Usage>;
  bySeat: Record<string, Usage>;
}

/** What made the answer: enough to make it again, or to see that something changed. */
export interface Provenance {
  agon: string;
  /** The protocol in words: `supporter, 2 rounds together, arbiter`. */
  protocol: string;
  policy: { name: string; version: string; hash: string };
  /** Hash of the roles' own words. */
  prompts: string;
  /** Which model each seat is filled with. */
  models: Record<string, string>;
  precedents: string | null;
  configuration: string;
  /** The same but for the library: what a calibration is fitted for, since learning must not undo it. */
  setup?: string;
  /** What made the probability of the score; absent while the configuration is not calibrated. */
  calibration?: Calibration;
}
