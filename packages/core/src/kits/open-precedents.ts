import type { Jobs } from '@agonhq/judges/job';
import type { Ledger } from '@agonhq/ledger';
import { defaultPolicy, loadPolicy, type Policy } from '@agonhq/engine/policy';
import type { Embedder, KeptPrecedent, Library, LibraryOptions } from '@agonhq/models/precedents';
import { guardEmbedder } from '@agonhq/models/reasoners/embedded';
import { createLlmPool } from '@agonhq/models/reasoners/llm/pool';
import {
  llmSettingsOf,
  mergeSettings,
  readSettings,
  settingsFromEnvironment,
  type Settings,
} from '../settings/index.ts';

/** The library of an installation and what it is made of, for whoever looks after it. */
export interface Precedents {
  seeds: readonly KeptPrecedent[];
  ledger: Ledger;
  policy: Policy;
  library(options?: Pick<LibraryOptions, 'onProgress'>): Promise<Library>;
  close(): Promise<void>;
}

/**
 * Opens the library as moderation under these settings would see it; the ledger is the installation's own unless
 * another is set or handed in.
 */
export async function openPrecedents(
  jobs: Jobs,
  given: Settings,
  environment: Record<string, string | undefined> = process.env,
  parts: { ledger?: Ledger; policy?: Policy } = {},
): Promise<Precedents> {
  const settings = mergeSettings(settingsFromEnvironment(jobs, environment), readSettings(jobs, given, 'settings'));
  const policy = parts.policy ?? (settings.policy ? await loadPolicy(settings.policy) : await defaultPolicy());
  const { openLibrary, seedPrecedents } = await import('@agonhq/models/precedents');
  const seeds = await seedPrecedents(policy);
  const { findLedgerPlace, openLedger } = await import('@agonhq/ledger');
  const ledger = parts.ledger ?? (await openLedger(findLedgerPlace(environment, settings.ledger)));
  return {
    seeds,
    ledger,
    policy,
    library: (options) =>
      openLibrary({ ...options, ...locateLibrary(seeds, ledger), embedder: openEmbedder(settings, environment) }),
    // Whoever handed a ledger in closes it.
    close: async () => (parts.ledger ? undefined : ledger.close()),
  };
}

/** Where the library's precedents, and an index over them, are kept. */
export function locateLibrary(
  seeds: readonly KeptPrecedent[],
  ledger: Ledger | null,
): Pick<LibraryOptions, 'seeds' | 'store' | 'indexFolder'> {
  return {
    seeds,
    store: ledger?.precedents ?? null,
    ...(ledger?.kind === 'sqlite' ? { indexFolder: `${ledger.place}.index` } : {}),
  };
}

/** What the embedded reasoner tells clauses by: what was decided under them. */
export function listClauseExamples(seeds: readonly KeptPrecedent[]): { clause: string; text: string }[] {
  return seeds.flatMap(({ label, clause, text }) => (label === 'unsafe' && clause !== null ? [{ clause, text }] : []));
}

export function openEmbedder(settings: Settings, environment: Record<string, string | undefined>): Embedder {
  const { embedding } = settings;
  return embedding === undefined
    ? guardEmbedder
    : createLlmPool({ ...llmSettingsOf(settings), cache: false }, environment).embedder(embedding);
}

/** So long it may take before anybody is told, and between two lines. */
const quietMs = 2_000;

/**
 * Tells how far the vectors of the precedents are, where that takes long: after a change of the model all of them are
 * made anew, once, and whoever waits for a verdict should know what for.
 *
 * @example createAgon(settings, { onEmbedding: reportEmbedding((line) => process.stderr.write(`${line}\n`)) })
 */
export function reportEmbedding(tell: (line: string) => void): (progress: { done: number; total: number }) => void {
  let reportedAt: number | null = null;
  let told = false;
  return ({ done, total }) => {
    reportedAt ??= performance.now();
    const over = done >= total;
    if (over ? told : performance.now() - reportedAt >= quietMs) {
      tell(`Embedding the precedents for this model: ${done} of ${total}${over ? ', done' : ''}.`);
      reportedAt = performance.now();
      told = true;
    }
    if (over) [reportedAt, told] = [null, false];
  };
}
