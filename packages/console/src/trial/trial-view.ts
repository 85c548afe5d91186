import type { ShownDistribution, RiskView } from '@agonhq/engine/view';
import type { Client, EventStream } from '@agonhq/server/client';
import type { SentAnswer, SentEvidence, SentModerationAnswer } from '../api/client.ts';
import type { TrialJob, RawSource, RoleLook, SeenMark, SourceMoment } from '../jobs/console-job.ts';

/* A trial as it is seen: the events of its stream, or the answer on record, make the same view (fold-trial.ts). */

export type SentTrialEvent =
  ReturnType<Client['cases']['events']> extends EventStream<infer Event, unknown> ? Event : never;
export type TrialVerdict = SentModerationAnswer['verdict'] & {
  concept?: string | null;
  behaviour?: string | null;
  distribution?: ShownDistribution | null;
};

/** A text that was judged, or what a tool drew from it. */
export interface TrialSource {
  id: string;
  text: string;
  /** Who said it, of an exchange. */
  speaker: string | null;
  /** Whether it is what the verdict is about, among what was said before it. */
  isAnswer: boolean;
  /** Present when a tool drew it from something. */
  tool: string | null;
  of: string | null;
  note: string | null;
  /** Where in its image it was seen. */
  marks: readonly SeenMark[];
  /** When in its recording it is said or shown, passage by passage. */
  moments: readonly SourceMoment[];
}

/** A turn: what was said so far, or all of it. */
export interface TrialTurn {
  key: string;
  seat: string;
  role: string;
  round: number | null;
  /** The image or the claim it is about; null beyond them. */
  scope: string | null;
  reasoner: string;
  /** `cut` when the trial ended in the middle of it. */
  state: 'speaking' | 'said' | 'cut';
  statement: string;
  score: number | null;
  /** How risky it finds what is judged, on the scale of the verdict; null where the job's scores are no risks. */
  risk: RiskView | null;
  evidence: readonly SentEvidence[];
  /** Nobody answered, and a stand-in took the place. */
  fallback: { reason: string; detail: string } | null;
  notes: readonly string[];
  /** The whole answer, as its role gives it. */
  answer: unknown;
  latencyMs: number | null;
  /** It was recalled, and cost nothing. */
  replayed: boolean;
}

export interface ComputedView {
  key: string;
  name: string;
  round: number | null;
  value: unknown;
}

/** A part of what is judged that gets a verdict of its own. */
export interface ClaimView {
  id: string;
  text: string;
  state: 'waiting' | 'argued' | 'judged';
  verdict: TrialVerdict | null;
}

export interface TrialImage {
  id: string;
  hash: string | null;
  /** Its size and its type, where they are known. */
  about?: string | undefined;
  /** Of a frame: its film, and when it is shown. */
  frame?: { of: string; second: number } | undefined;
}

export interface TrialRecording {
  id: string;
  kind: 'audio' | 'video';
  hash: string | null;
  about?: string | undefined;
  /** Null before it was decoded. */
  seconds: number | null;
}

/** A file that is judged, as it can be asked for. */
export type JudgedFile = Pick<TrialImage, 'id' | 'hash'>;

export interface TrialView {
  job: TrialJob;
  id: string | null;
  /** `live` until it ends: well, badly, or because somebody stopped it. */
  state: 'live' | 'ended' | 'failed' | 'stopped';
  /** What makes risks of scores; null where they are the risks. */
  calibration: { a: number; b: number } | null;
  /** At which sensitivity it was judged; null for the default, and where the judge knows none. */
  sensitivity: string | null;
  /** How it is judged, where the record says so. */
  method: string | null;
  sources: readonly TrialSource[];
  images: readonly TrialImage[];
  recordings: readonly TrialRecording[];
  /** The members of the context that the debaters saw. */
  contextShown: readonly string[];
  /** By key, in the order in which they began. */
  turns: ReadonlyMap<string, TrialTurn>;
  computed: ReadonlyMap<string, ComputedView>;
  /** Why the rounds ended, by the round after which they did. */
  stops: ReadonlyMap<number, string>;
  verdict: TrialVerdict | null;
  claims: ReadonlyMap<string, ClaimView>;
  documents: readonly string[];
  problem: unknown;
  answer: SentAnswer | null;
}

export function newTrial(job: TrialJob, known: Partial<TrialView> = {}): TrialView {
  return {
    job,
    id: null,
    state: 'live',
    method: null,
    calibration: null,
    sensitivity: null,
    sources: [],
    images: [],
    recordings: [],
    contextShown: [],
    turns: new Map(),
    computed: new Map(),
    stops: new Map(),
    verdict: null,
    claims: new Map(),
    documents: [],
    problem: null,
    answer: null,
    ...known,
  };
}

/** A text that was given, or that a tool drew from one. */
export function readSource({ id, text, tool, of, note, marks = [], moments = [] }: RawSource): TrialSource {
  const drawn = { tool: tool ?? null, of: of ?? null, note: note ?? null };
  return { id, text, speaker: null, isAnswer: false, ...drawn, marks, moments };
}

/** How a role is drawn. */
export function findSeatRole(job: TrialJob, role: string): RoleLook {
  const { roles, otherRoles = {} } = job.terms;
  return (Object.hasOwn(roles, role) ? roles[role] : undefined) ?? otherRoles;
}
