import type { Evidence } from '../evidence/index.ts';
import type { FailureReason } from './failure.ts';
import type { Usage } from './usage.ts';

/** One answer of one seat. */
export interface Turn {
  kind: 'turn';
  /** Deterministic: `round-2/strict-debater`, `claim-07/rebuttal`. */
  key: string;
  inputHash: string;
  seat: string;
  role: string;
  round: number | null;
  statement: string;
  score: number | null;
  evidence: readonly Evidence[];
  /** The whole answer, in the role's schema. */
  answer: unknown;
  reasoner: string;
  usage: Usage;
  latencyMs: number;
  /** Present when nobody answered and the role's fallback stands in. */
  fallback?: { reason: FailureReason; detail: string };
  notes?: readonly string[];
}

/** What pure code added: retrieval, number checks, adjudication. */
export interface Computed {
  kind: 'computed';
  key: string;
  inputHash: string;
  name: string;
  round: number | null;
  value: unknown;
}

/** Why the rounds ended. */
export interface Stop {
  kind: 'stop';
  key: string;
  round: number;
  reason: string;
}

export type Entry = Turn | Computed | Stop;

/** The entries so far, append-only. */
export type Transcript = readonly Entry[];

export function findTurns(transcript: Transcript): Turn[] {
  return transcript.filter((entry) => entry.kind === 'turn');
}

export function findLastTurn(transcript: Transcript, seat: string): Turn | undefined {
  return findTurns(transcript).findLast((turn) => turn.seat === seat);
}

export function findValue(transcript: Transcript, name: string): unknown {
  return transcript.findLast((entry): entry is Computed => entry.kind === 'computed' && entry.name === name)?.value;
}
