import type { Generated } from 'kysely';
import type { WorkerBeat } from '../runs/workers.ts';

/* Many items, and the workers that take them. */

export interface Runs {
  id: string;
  version: number;
  name: string | null;
  job: string;
  configuration: string;
  settings: string;
  input: string | null;
  state: 'running' | 'stopped' | 'finished' | 'failed' | 'cancelled';
  problem: string | null;
  total: number | null;
  started_at: string;
  ended_at: string | null;
}

export interface RunItemRows {
  run: string;
  position: number;
  version: number;
  key: string;
  hash: string;
  /** What is to be judged; null when it could not be read, and when it was judged: then it is the case's subject. */
  input: string | null;
  expected: string | null;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'same';
  same_as: number | null;
  attempts: number;
  /** 1 when a worker died that had it in hand: it is tried while its worker has nothing else. */
  alone: Generated<number>;
  worker: string | null;
  /** Not before this moment; null for at once. */
  due_at: string | null;
  case_id: string | null;
  label: string | null;
  risk: number | null;
  escalate: number | null;
  decided_by: 'debate' | 'guard' | null;
  calls: number | null;
  input_tokens: number | null;
  output_tokens: number | null;
  cached_tokens: number | null;
  cost_usd: number | null;
  latency_ms: number | null;
  error: string | null;
  ended_at: string | null;
}

export interface RunAccounts {
  run: string;
  tokens: number;
  usd: number;
}

export interface Reservations {
  call: string;
  run: string;
  tokens: number;
  usd: number;
  settled: number;
}

/** Only on PostgreSQL, like the shares. */
export interface Workers extends WorkerBeat {
  started_at: Date;
  seen_at: Date;
}

export interface Shares {
  model: string;
  worker: string;
  wanted: number;
  concurrency: number;
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  until: Date;
}

/* Benches. */

export interface Benches {
  id: string;
  version: number;
  name: string;
  plan: string;
  state: 'running' | 'done' | 'stopped' | 'failed';
  started_at: string;
  ended_at: string | null;
  /** When something of it was last written. */
  touched_at: string;
}

export interface BenchJudgements {
  bench: string;
  /** As a text of JSON. */
  key: string;
  version: number;
  result: string;
}

export interface BenchAttachments {
  bench: string;
  name: string;
  version: number;
  value: string;
}
