import type { Blow } from './plan-blows.ts';

/* What happened in a town, as plain data: the invariants are functions of it, and a test can make one up. */

/** Which ledger: the one on PostgreSQL that two servers and the workers share, or the one server's own on SQLite. */
export type LedgerName = 'postgres' | 'sqlite';

/** A verdict that a client was given. */
export interface AcknowledgedVerdict {
  ledger: LedgerName;
  /** The act of the traffic that asked for it. */
  act: number;
  job: 'moderation' | 'evaluation' | 'documents';
  case: string;
  seal: string;
  /** SHA-256 of the whole body; null where it came as an event. */
  body: string | null;
  /** Somebody has asked to forget it: before that was acknowledged, either is right. */
  forget: 'no' | 'asked' | 'acknowledged';
}

/** A run that a client was told of. */
export interface AcknowledgedRun {
  ledger: LedgerName;
  act: number;
  run: string;
  /** Keys of its items, each different. */
  keys: readonly string[];
  budgetUsd: number | null;
}

/** A decision of a person that a client was told of. */
export interface AcknowledgedDecision {
  ledger: LedgerName;
  case: string;
  /** Words that nobody else gives as a reason. */
  why: string;
}

/** A call as the provider saw it. */
export interface ServedCall {
  /** The act and the item that it is about, by a word in the text. */
  act: number;
  item: number;
  /** Whose key came with it. */
  by: string;
  /** Hash of what was asked. */
  asked: string;
  startedAt: number;
  endedAt: number | null;
  outcome: 'good' | 'garbage' | 'refused' | 'cut' | 'hung';
  /** What the provider would bill: for what it said, heard or not. */
  usd: number;
}

/** A blow as it fell. */
export interface StruckBlow extends Blow {
  /** Milliseconds of `performance.now()`. */
  from: number;
  to: number | null;
  /** Why it did not fall: what it was meant for was down already. */
  missed: string | null;
}

/** A process that ended although nobody had struck it, or would not end, or could not be started. */
export interface ProcessProblem {
  process: string;
  what: string;
  stderr: string;
}

/** What was found of a case. */
export interface FoundCase {
  status: number;
  code: string | null;
  seal: string | null;
  body: string | null;
  /** What does not hold in it, by its own verifier. */
  invalid: readonly string[];
  /** Why people decided as they did. */
  decisions: readonly string[];
}

/** What was found of a run when everything had been healed. */
export interface FoundRun {
  state: string;
  problem: string | null;
  results: readonly { key: string; case: string | null; error: string | null }[];
}

export interface Breach {
  invariant: string;
  what: string;
}

export interface TownRecord {
  verdicts: AcknowledgedVerdict[];
  runs: AcknowledgedRun[];
  decisions: AcknowledgedDecision[];
  calls: ServedCall[];
  blows: StruckBlow[];
  problems: ProcessProblem[];
  /** What was seen to be wrong while it went on. */
  seen: Breach[];
  /** The most bytes that each process and its children had. */
  memory: Record<string, number>;
}

/** What was found in a ledger when everything had been healed. */
export interface FoundLedger {
  cases: Record<string, FoundCase>;
  runs: Record<string, FoundRun>;
  /** Runs by their first key, that nobody was told of too. */
  allRuns: readonly { run: string; firstKey: string | null }[];
  /** Cases that are said to be judged still. */
  judging: readonly string[];
  /** What the audit of the ledger found wrong. */
  audit: readonly string[];
}

export function emptyRecord(): TownRecord {
  return { verdicts: [], runs: [], decisions: [], calls: [], blows: [], problems: [], seen: [], memory: {} };
}
