import type { Source } from '../evidence/index.ts';
import { hashOf } from '../hash.ts';
import type { Calibration } from './calibration.ts';
import type { Observation } from './case-file.ts';
import type { Precedent, Retrieval } from './precedent.ts';
import type { Transcript } from './transcript.ts';
import type { Usage } from './usage.ts';
import type { Verdict } from './verdict.ts';

/** The version of the JSON shape of an answer. */
export const answerVersion = 1 as const;

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

/** Closes an answer: from here on, any change to it shows. */
export function sealAnswer<Content extends object>(content: Content): Content & { seal: string } {
  return { ...content, seal: hashAnswer(content) };
}

/** The seal that an answer should have: the hash of all of it but the seal, as canonical JSON. */
export function hashAnswer(answer: object & { seal?: string }): string {
  const { seal: _, ...content } = answer;
  return hashOf(content);
}

/** A case as it is opened: what is to be judged, before anything is asked or paid for. */
export interface OpenedCase {
  /** The debate's id. */
  id: string;
  /** Hash of everything that made the answer. */
  configuration: string;
  subject: {
    hash: string;
    /** What was judged, as JSON from which it can be judged again; bytes are attachments, named by their hash. */
    content: unknown;
    attachments?: readonly { hash: string; mediaType: string; data: Uint8Array }[];
  };
}

/** Who is told of a case before its debate starts, and of its answer: the ledger, at the edge. */
export interface CaseRecorder {
  openCase(entry: OpenedCase): Promise<void>;
  closeCase(answer: { id: string; job: string; seal: string }): Promise<void>;
}
