import type { FittedCalibration, Journal, PrecedentLibrary, Reasoner, Usage } from '@agonhq/engine/debate';
import type { Jobs, KitTools, KnownCorrections } from '@agonhq/judges/job';
import type { Ledger } from '@agonhq/ledger';
import type { Policy } from '@agonhq/engine/policy';
import type { Embedder } from '@agonhq/models/precedents';

/**
 * All models of an installation, with their limits, cache and budget. In these words and not in those of the reasoners,
 * whose types would bring the providers' with them into every program that imports Agon.
 */
export interface ModelPool {
  /** Throws an AgonError when one of these models cannot be called. */
  check(models: readonly string[]): void;
  forItem(): (model: string) => Reasoner;
  embedder(model: string): Embedder;
  transcriber(model: string): {
    id: string;
    fingerprint: string;
    transcribe(
      samples: Float32Array,
      options: { signal: AbortSignal },
    ): Promise<{ language: string | null; segments: readonly { start: number; end: number; text: string }[] }>;
  };
  spent(): Usage;
  /** Lets go of models that are in memory. */
  close?(): Promise<void>;
}

/** What a case belongs to: a run, or the case that is held again. */
export interface Occasion {
  run?: string;
  /** Whoever judges tries again what nobody could be reached for: that is an error, and no verdict on record. */
  isTriedAgain?: boolean;
  again?: { of: string; how: 'replay' | 'appeal' | 'shadow' };
}

/** What a program may hand in beside its settings. */
export interface AgonParts {
  environment?: Record<string, string | undefined>;
  /** The jobs that there are; by default the three that Agon comes with. */
  jobs?: Jobs;
  /**
   * Ids of the jobs it is made for: what one of them lacks is said at once. Otherwise it is said when the job is asked
   * for.
   */
  only?: readonly string[];
  /** A policy that is already loaded. */
  policy?: Policy;
  precedents?: PrecedentLibrary;
  /** What people corrected, instead of what the ledger holds: those of a trial that is held again. */
  corrections?: KnownCorrections;
  journal?: Journal;
  /** A calibration that is already loaded; null for none, whatever the settings name. */
  calibration?: FittedCalibration | null;
  /** By job, what it was fitted on data with, already loaded; null for none, whatever the settings name. */
  fitted?: Readonly<Record<string, unknown>>;
  /** The ledger that every case is kept in; stronger than the setting, and closed by whoever opened it. */
  ledger?: Ledger;
  occasion?: Occasion;
  /** Told while the vectors of precedents are made: after a change of the model that is all of them, once. */
  onEmbedding?: (progress: { done: number; total: number }) => void;
  /** How documents are read; by default on this thread. */
  readFiles?: KitTools['readDocuments'];
  /** Models whose limits, cache and budget several Agons share; otherwise each has its own, from its settings. */
  pool?: ModelPool;
  /** Reasoners of the caller's own, by seat; stronger than the settings. */
  reasoners?: Readonly<Partial<Record<string, Reasoner>>>;
  secret?: string;
}
