import type { Analysis, EvaluationAnswer, Evidence, Job, ModerationAnswer, Turn } from '../api/types.ts';
import type { Client, EventStream } from '../../../src/client/index.ts';

/* A trial as it is seen: the events of its stream, or the answer on record, folded into the same view. */

export type TrialEvent =
  ReturnType<Client['moderations']['events']> extends EventStream<infer Event, unknown> ? Event : never;
export type TrialAnswer = ModerationAnswer | EvaluationAnswer | Analysis;
export type TrialVerdict = ModerationAnswer['verdict'] & {
  concept?: string | null;
  behaviour?: string | null;
  distribution?: Distribution | null;
};

export interface Distribution {
  explicit: number;
  implicit: number;
  none: number;
}

/** A text that was judged, or what a tool drew from it. */
export interface TrialSource {
  id: string;
  text: string;
  /** Present when a tool drew it from something. */
  tool: string | null;
  of: string | null;
  note: string | null;
}

/** A turn: what was said so far, or all of it. */
export interface TurnView {
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
  evidence: readonly Evidence[];
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

export interface ClaimView {
  id: string;
  text: string;
  state: 'waiting' | 'argued' | 'judged';
  verdict: TrialVerdict | null;
}

export interface JudgedImage {
  id: string;
  hash: string | null;
}

export interface TrialView {
  job: Job;
  /** The case, once it is known. */
  id: string | null;
  /** `live` until it ends: well, badly, or because somebody stopped it. */
  state: 'live' | 'ended' | 'failed' | 'stopped';
  /** How it is judged, where the record says so. */
  method: string | null;
  sources: readonly TrialSource[];
  images: readonly JudgedImage[];
  /** Who said what in an exchange, by source. */
  speakers: ReadonlyMap<string, string>;
  /** By key, in the order in which they began. */
  turns: ReadonlyMap<string, TurnView>;
  computed: ReadonlyMap<string, ComputedView>;
  /** Why the rounds ended, by the round after which they did. */
  stops: ReadonlyMap<number, string>;
  verdict: TrialVerdict | null;
  /** Of documents. */
  claims: ReadonlyMap<string, ClaimView>;
  documents: readonly string[];
  /** Set when it failed. */
  problem: unknown;
  answer: TrialAnswer | null;
}

export function newTrial(job: Job, known: Partial<TrialView> = {}): TrialView {
  return {
    job,
    id: null,
    state: 'live',
    method: null,
    sources: [],
    images: [],
    speakers: new Map(),
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

type Folding = { -readonly [Name in keyof TrialView]: TrialView[Name] } & {
  turns: Map<string, TurnView>;
  computed: Map<string, ComputedView>;
  stops: Map<number, string>;
  claims: Map<string, ClaimView>;
};

/**
 * The view after some events. Give it those of a moment together: a trial of any length is folded in one go. What it
 * does not know is passed over.
 */
export function foldTrial(view: TrialView, events: readonly TrialEvent[]): TrialView {
  if (events.length === 0) return view;
  const next: Folding = {
    ...view,
    turns: new Map(view.turns),
    computed: new Map(view.computed),
    stops: new Map(view.stops),
    claims: new Map(view.claims),
  };
  for (const event of events) foldEvent(next, event);
  return next;
}

/** An answer on record, as the end of its trial. */
export function trialFromAnswer(answer: TrialAnswer): TrialView {
  return foldTrial(newTrial(answer.job), [{ type: 'answer', answer }]);
}

/** A trial that did not come to its answer: whoever spoke has fallen silent. */
export function endTrial(view: TrialView, state: 'failed' | 'stopped', problem: unknown = null): TrialView {
  return {
    ...view,
    state,
    problem,
    turns: new Map(
      [...view.turns]
        .filter(([, turn]) => turn.state === 'said' || turn.statement !== '')
        .map(([key, turn]) => [key, turn.state === 'said' ? turn : { ...turn, state: 'cut' as const }]),
    ),
  };
}

function foldEvent(view: Folding, event: TrialEvent): void {
  if ('debate' in event && typeof event.debate === 'string') view.id ??= event.debate;
  switch (event.type) {
    case 'case-ready':
      view.sources = event.caseFile.sources.map(readSource);
      return;
    case 'dossier-ready':
      view.documents = event.documents.map(({ name }) => name);
      return;
    case 'claims-ready':
      for (const { id, text } of event.claims) view.claims.set(id, { id, text, state: 'waiting', verdict: null });
      return;
    case 'claim-start':
      view.claims.set(event.claim.id, { id: event.claim.id, text: event.claim.text, state: 'argued', verdict: null });
      return;
    case 'claim-end': {
      const { id, text } = event.answer.subject;
      view.claims.set(id, { id, text, state: 'judged', verdict: event.answer.verdict as TrialVerdict });
      return;
    }
    case 'turn-start': {
      const { key, seat, role, round, reasoner, scope } = event;
      // Told again after a lost connection: what was said stays.
      if (!view.turns.has(key))
        view.turns.set(key, {
          key,
          seat,
          role,
          round,
          scope,
          reasoner,
          state: 'speaking',
          statement: '',
          score: null,
          evidence: [],
          fallback: null,
          notes: [],
          answer: null,
          latencyMs: null,
          replayed: false,
        });
      return;
    }
    case 'turn-delta': {
      const turn = view.turns.get(event.key);
      if (turn?.state === 'speaking') view.turns.set(event.key, { ...turn, statement: turn.statement + event.delta });
      return;
    }
    case 'turn-end':
      view.turns.set(event.key, readTurn(event.turn, event.scope, event.replayed));
      return;
    case 'compute-end':
      addComputed(view, event.computed);
      return;
    case 'round-end':
      if (event.stop !== null && event.scope === null) view.stops.set(event.round, event.stop);
      return;
    case 'answer': {
      const answer = readAnswer(event.answer);
      view.state = 'ended';
      if (answer !== null) applyAnswer(view, answer);
      return;
    }
    case 'problem':
      view.state = 'failed';
      view.problem = event.problem;
      return;
    case 'debate-end':
    default:
  }
}

function addComputed(view: Folding, { key, name, round, value }: ComputedView): void {
  view.computed.set(key, { key, name, round, value });
  if (name === 'adjudication' && view.job !== 'documents') view.verdict = value as TrialVerdict;
}

/** What a trial came to: an answer, or a retrial with an answer in it. */
function readAnswer(value: unknown): TrialAnswer | null {
  const found = [value, toRecord(value)['answer']].find((candidate) =>
    Array.isArray(toRecord(candidate)['transcript']),
  );
  return (found as TrialAnswer | undefined) ?? null;
}

/** The record says all of it; turns that were seen stay as they are, so that nothing on the page moves. */
function applyAnswer(view: Folding, answer: TrialAnswer): void {
  view.id = answer.id;
  view.answer = answer;
  const kept = view.turns;
  view.turns = new Map(kept);
  for (const entry of answer.transcript) {
    if (entry.kind === 'turn' && kept.get(entry.key)?.state !== 'said')
      view.turns.set(entry.key, readTurn(entry, null, false));
    if (entry.kind === 'computed') addComputed(view, entry);
    if (entry.kind === 'stop') view.stops.set(entry.round, entry.reason);
  }
  for (const [key, { state }] of view.turns) if (state === 'speaking') view.turns.delete(key);
  if (answer.job === 'documents') {
    view.documents = answer.documents.map(({ name }) => name);
    for (const {
      subject: { id, text },
      verdict,
    } of answer.claims)
      view.claims.set(id, { id, text, state: 'judged', verdict: verdict as TrialVerdict });
    return;
  }
  view.sources = answer.sources.map(readSource);
  view.verdict = answer.verdict;
  view.method = readMethod(answer);
  if (answer.job === 'moderation') view.images = answer.subject.images.map(({ id, hash }) => ({ id, hash }));
  else view.speakers = new Map(answer.subject.turns.map(({ source, speaker }) => [source, speaker]));
}

function readTurn(turn: Turn, scope: string | null, replayed: boolean): TurnView {
  const { key, seat, role, round, reasoner, statement, score, evidence, answer, latencyMs } = turn;
  return {
    key,
    seat,
    role,
    round,
    scope,
    reasoner,
    state: 'said',
    statement,
    score,
    evidence,
    fallback: readFailure(turn['fallback']),
    notes: toTexts(turn['notes']),
    answer,
    latencyMs,
    replayed,
  };
}

function readFailure(fallback: unknown): TurnView['fallback'] {
  const { reason, detail } = toRecord(fallback);
  return typeof reason === 'string' ? { reason, detail: typeof detail === 'string' ? detail : '' } : null;
}

function readSource(source: { id: string; text: string; [member: string]: unknown }): TrialSource {
  return {
    id: source.id,
    text: source.text,
    tool: toText(source['tool']),
    of: toText(source['of']),
    note: toText(source['note']),
  };
}

/** Where the provenance names no method, the seats tell: a debate has others than judges. */
function readMethod({ provenance, transcript }: Pick<ModerationAnswer, 'provenance' | 'transcript'>): string {
  const method = toText(provenance['method']) ?? toText(toRecord(provenance['plan'])['method']);
  if (method !== null) return method;
  const seat = transcript.find((entry) => entry.kind === 'turn' && entry.role === 'judge') as Turn | undefined;
  return (
    { vote: 'vote', peer: 'role-free', control: 'control', judge: 'judge' }[seat?.seat.split('#')[0] ?? ''] ?? 'debate'
  );
}

/* What comes from a model is read with care: any member may be missing or odd. */

export function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function toTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
