import type { Ledger, RunRow } from '../../ledger/index.ts';
import type { RunProgress } from '../../runs/index.ts';
import type { Settings } from '../../settings/index.ts';
import type { Courts } from '../courts.ts';
import type { LogLine } from '../house.ts';
import type { News } from '../news.ts';
import type { UploadedFile } from '../http/read-upload.ts';

/** What a run is made from: the fields of its request, and its files. */
export interface RunOrder {
  job: 'moderation' | 'evaluation' | 'documents';
  name?: string;
  format?: 'jsonl' | 'csv' | 'tsv';
  map?: Record<string, string>;
  labels?: Record<string, string>;
  evaluatedModel?: string;
  concurrency?: number;
  budgetUsd?: number;
  files: readonly UploadedFile[];
}

/** The runs that this server works on. */
export interface RunDesk {
  create(order: RunOrder, signal: AbortSignal): Promise<RunRow>;
  resume(id: string): Promise<RunRow>;
  cancel(id: string): Promise<{ run: RunRow; waiting: number }>;
  retryFailed(id: string): Promise<{ run: RunRow; waiting: number }>;
  isLive(id: string): boolean;
  /** The progress of a run, live or by looking at the ledger now and then; ends when the run has. */
  progress(id: string, signal: AbortSignal): AsyncIterable<{ run: RunRow; progress: RunProgress | null }>;
  /** Takes up what an earlier server left. */
  takeUp(): Promise<void>;
  /** Stops what is under way, for the next server to go on with. */
  close(): Promise<void>;
}

export interface RunDeskOptions {
  ledger: Ledger;
  settings: Settings;
  environment: Record<string, string | undefined>;
  courts: Courts;
  news: News;
  /** Where inputs are kept until their run has ended. */
  folder: string;
  log: (line: LogLine) => void;
}

export async function openRunDesk(_options: RunDeskOptions): Promise<RunDesk> {
  throw new Error('not written yet');
}
