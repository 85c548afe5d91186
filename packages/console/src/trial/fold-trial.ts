import { toRecord, toText, toTexts, viewScore } from '@agonhq/engine/view';
import type { SentAnswer, SentTurn } from '../api/client.ts';
import type { TrialJob } from '../jobs/console-job.ts';
import {
  type ClaimView,
  type ComputedView,
  newTrial,
  type SentTrialEvent,
  type TrialVerdict,
  type TrialView,
  type TrialTurn,
} from './trial-view.ts';

type Folding = { -readonly [Name in keyof TrialView]: TrialView[Name] } & {
  turns: Map<string, TrialTurn>;
  computed: Map<string, ComputedView>;
  stops: Map<number, string>;
  claims: Map<string, ClaimView>;
};

/**
 * The view after some events. Give it those of a moment together: a trial of any length is folded in one go. What it
 * does not know is passed over.
 */
export function foldTrial(view: TrialView, events: readonly SentTrialEvent[]): TrialView {
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
export function trialFromAnswer(job: TrialJob, answer: SentAnswer): TrialView {
  return foldTrial(newTrial(job), [{ type: 'answer', answer }]);
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

const nothingSaid = { statement: '', score: null, risk: null, evidence: [], answer: null, notes: [] };
const unheard = { ...nothingSaid, fallback: null, latencyMs: null, replayed: false };

function foldEvent(view: Folding, event: SentTrialEvent): void {
  if ('debate' in event && typeof event.debate === 'string') view.id ??= event.debate;
  switch (event.type) {
    case 'case-ready':
      view.sources = view.job.readSources(event.caseFile.sources);
      view.calibration = event.calibration ?? null;
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
        view.turns.set(key, { ...unheard, key, seat, role, round, scope, reasoner, state: 'speaking' });
      return;
    }
    case 'turn-delta': {
      const turn = view.turns.get(event.key);
      if (turn?.state === 'speaking') view.turns.set(event.key, { ...turn, statement: turn.statement + event.delta });
      return;
    }
    case 'turn-end':
      view.turns.set(event.key, readTurn(view, event.turn, event.scope, event.replayed));
      return;
    case 'compute-end':
      addComputed(view, event.computed, event.scope);
      return;
    case 'round-end':
      if (event.stop !== null && event.scope === null) view.stops.set(event.round, event.stop);
      return;
    case 'answer': {
      const answer = findAnswer(event.answer);
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

function addComputed(view: Folding, { key, name, round, value }: ComputedView, scope: string | null): void {
  view.computed.set(key, { key, name, round, value });
  if (name === 'adjudication' && scope === null) view.verdict = value as TrialVerdict;
}

/** What a trial came to: an answer, or a retrial with an answer in it. */
function findAnswer(value: unknown): SentAnswer | null {
  const found = [value, toRecord(value)['answer']].find((candidate) =>
    Array.isArray(toRecord(candidate)['transcript']),
  );
  return (found as SentAnswer | undefined) ?? null;
}

/** The record says all of it; turns that were seen stay as they are, so that nothing on the page moves. */
function applyAnswer(view: Folding, answer: SentAnswer): void {
  view.id = answer.id;
  view.answer = answer;
  view.calibration = answer.provenance.calibration ?? null;
  view.sensitivity = answer.provenance.sensitivity ?? null;
  const seen = view.turns;
  view.turns = new Map(seen);
  for (const entry of answer.transcript) {
    if (entry.kind === 'turn' && seen.get(entry.key)?.state !== 'said')
      view.turns.set(entry.key, readTurn(view, entry, null, false));
    if (entry.kind === 'computed') addComputed(view, entry, null);
    if (entry.kind === 'stop') view.stops.set(entry.round, entry.reason);
  }
  for (const [key, { state }] of view.turns) if (state === 'speaking') view.turns.delete(key);
  Object.assign(view, { method: readMethod(answer) }, view.job.readAnswer(answer));
}

function readTurn(
  { job, calibration }: Pick<TrialView, 'job' | 'calibration'>,
  turn: SentTurn,
  scope: string | null,
  replayed: boolean,
): TrialTurn {
  const { key, seat, role, round, reasoner, statement, score, evidence, answer, latencyMs } = turn;
  const said = { key, seat, role, round, reasoner, statement, score, evidence, answer, latencyMs };
  const fallback = readFailure(turn['fallback']);
  const risk = job.terms.isRisk ? viewScore(score, calibration) : null;
  return { ...said, risk, scope, replayed, state: 'said', fallback, notes: toTexts(turn['notes']) };
}

function readFailure(fallback: unknown): TrialTurn['fallback'] {
  const { reason, detail } = toRecord(fallback);
  return typeof reason === 'string' ? { reason, detail: typeof detail === 'string' ? detail : '' } : null;
}

/** Where the provenance names no method, the seats tell: a debate has others than judges. */
function readMethod({ provenance, transcript }: SentAnswer): string {
  const method = toText(provenance['method']) ?? toText(toRecord(provenance['plan'])['method']);
  if (method !== null) return method;
  const judge = transcript.find((entry) => entry.kind === 'turn' && entry.role === 'judge') as SentTurn | undefined;
  return (
    { vote: 'vote', peer: 'role-free', control: 'control', judge: 'judge' }[judge?.seat.split('#')[0] ?? ''] ?? 'debate'
  );
}
