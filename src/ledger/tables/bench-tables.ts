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
