import type { z } from 'zod';
import type { Source } from '../evidence/index.ts';
import type { ItemContext } from '../items/item-context.ts';
import type { Described, provenanceSchema, answerUsageSchema, usageSchema } from './answer-schema.ts';
import type { Observation } from './case-file.ts';
import type { Precedent, Retrieval } from './precedent.ts';
import { type Transcript, findTurns } from './transcript.ts';
import type { Verdict } from './verdict.ts';

/** What answers cost. `costUsd` is null when a price is not known, never zero by ignorance. */
export interface Usage extends Described<z.infer<typeof usageSchema>> {}

/** What an answer cost in all, by model and by seat, and how long it took. */
export interface AnswerUsage extends Described<z.infer<typeof answerUsageSchema>> {}

/** Nothing was called, nothing was paid. */
export const noUsage: Usage = { calls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 };

/** Two costs together; unknown when one of them is. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
  };
}

/** What a transcript cost, in all, by model and by seat. */
export function sumUsage(transcript: Transcript, latencyMs: number): AnswerUsage {
  const turns = findTurns(transcript);
  const sum = (usages: Usage[]) => usages.reduce(addUsage, noUsage);
  const by = (name: 'reasoner' | 'seat') =>
    Object.fromEntries(
      [...Map.groupBy(turns, (turn) => turn[name])].map(([key, group]) => [key, sum(group.map((turn) => turn.usage))]),
    );
  return { ...sum(turns.map((turn) => turn.usage)), latencyMs, byModel: by('reasoner'), bySeat: by('seat') };
}

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
  /** By which rule it is sealed. */
  sealVersion: number;
  /** `sha256:…` of all of the above but how long it took. */
  seal: string;
}

/** What made the answer: enough to make it again, or to see that something changed. */
export interface Provenance extends Described<z.infer<typeof provenanceSchema>> {}

/** A case as it is opened: what is to be judged, before anything is asked or paid for. */
export interface OpenedCase {
  /** The debate's id. */
  id: string;
  /** Hash of everything that made the answer. */
  configuration: string;
  /** What is known about it beside what it says. */
  context?: ItemContext;
  subject: {
    hash: string;
    /** What was judged, as JSON from which it can be judged again; bytes are attachments, named by their hash. */
    content: unknown;
    attachments?: readonly { hash: string; mediaType: string; data: Uint8Array }[];
  };
}

/** An image that stands on a list of images that nobody is to see. */
export interface KnownImage {
  /** Its id in the case. */
  image: string;
  pdq: string;
  /** The list, and what it says of the entry. */
  list: string;
  entry: { hash: string; label: string | null; source: string | null };
  /** In how many of 256 bits the two differ; `mirrored` where it is the mirrored picture that is near. */
  distance: number;
  mirrored: boolean;
  /** The file that it is, or is in, by hash; absent where that is not known. */
  file?: string | null;
}

/** A case with images that are on a list of known images, of which nothing is kept. */
export interface WithheldCase {
  /** Null where it was refused before there was a case. */
  case: string | null;
  /** The caller's own id of what was judged. */
  item: string | null;
  /** The files that came with it, by hash. */
  files: readonly string[];
  known: readonly KnownImage[];
}

/** What a person decided of the same content, in another case, against the verdict on it. */
export interface PastDecision {
  case: string;
  label: 'safe' | 'unsafe';
  at: string;
}

/** Who is told of a case before its debate starts, and of its answer: the ledger, at the edge. */
export interface CaseRecorder {
  /** What was decided last of the content with this hash, if that corrected a verdict. */
  findCorrection?(subject: string): Promise<PastDecision | null>;
  /** Gives the answer that stands, where it need not be given again. */
  openCase(entry: OpenedCase): Promise<{ id: string; job: string; seal: string } | void>;
  /** Puts known images into the restricted queue, and takes away every copy of their files. */
  withholdImages?(entry: WithheldCase): Promise<void>;
  /** Says what stands: a trial that was recalled ends with the answer that is on record. */
  closeCase<Each extends { id: string; job: string; seal: string }>(answer: Each): Promise<Each>;
}
