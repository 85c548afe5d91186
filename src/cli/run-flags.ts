import type { InputFormat } from '../items/index.ts';
import type { NamesFlags } from './read-flags.ts';
import type {
  DocumentsSettingsFlags,
  EvaluationSettingsFlags,
  ModerationSettingsFlags,
  SpendingFlags,
  SettingsFlags,
} from './settings-flags.ts';

/** The flags of every command that takes a run towards its end, as commander hands them over. */
export interface ConductFlags {
  out?: string;
  order: 'input' | 'as-done';
  concurrency: number;
  failOn?: string[];
  json?: boolean;
  quiet?: boolean;
}

/** The flags of `agon run`, whatever the job. */
export interface RunFlags extends ConductFlags, SpendingFlags, NamesFlags, SettingsFlags {
  file: string;
  format?: InputFormat;
  name?: string;
  root?: string;
  attempts: number;
  /** True without a file. */
  cascade?: string | true;
  risk?: number;
  confidence?: number;
  /** True without a number. */
  estimate?: number | true;
  detach?: boolean;
}

export type RunModerationFlags = RunFlags & ModerationSettingsFlags;
export type RunEvaluationFlags = RunFlags & EvaluationSettingsFlags & { evaluatedModel?: string };
export type RunDocumentsFlags = RunFlags & Omit<DocumentsSettingsFlags, 'concurrency'>;

/** The flags of `agon runs resume`. */
export interface ResumeFlags extends ConductFlags, SpendingFlags, Pick<SettingsFlags, 'config' | 'ledger'> {
  file?: string;
}
