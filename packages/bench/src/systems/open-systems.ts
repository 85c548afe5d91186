import path from 'node:path';
import { createAgon, type AgonParts } from '@agonhq/core/app';
import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import { ownBlocks } from '@agonhq/core/own-blocks';
import { createJobs, type Job } from '@agonhq/judges/job';
import type { Ledger } from '@agonhq/ledger';
import { embeddedModel } from '@agonhq/models/reasoners';
import { mergeSettings, type Settings } from '@agonhq/core/settings';
import type { LabelledItem } from '../datasets/labelled-item.ts';
import { assertDistinctNames, dedupeEntries, toSystemEntry, withoutLedger, type SystemEntry } from './system-entry.ts';
import type { SystemKind } from '../result.ts';
import type { MeasuredSystem, ReadySystem } from './system.ts';

export type SharedSystemParts = Pick<AgonParts, 'pool' | 'policy' | 'environment' | 'readFiles'>;

export interface OpenSystemsOptions<Item extends LabelledItem = LabelledItem> {
  repeats: number;
  /** Which of several debates of the same kind there are: T and N of an evaluation. */
  rounds: readonly number[];
  agents: readonly number[];
  /** What the data is called: precedents that were learnt from it are not shown. */
  datasets: readonly string[];
  /** What paths in items are relative to. */
  root: string;
  /** What all systems share: models with one budget, the environment, a policy that is already loaded. */
  parts?: SharedSystemParts;
  /** Where precedents are drawn from; by default the ledger that the settings name. */
  precedents?: Ledger;
  /** Four labelled examples for the judge that is shown some; null for an item that cannot be shown. */
  drawExamples<Example extends { label: string }>(toExample: (item: Item) => Example | null): Promise<Example[]>;
}

/** Systems that are ready, until they are closed. */
export interface OpenSystems<Of extends MeasuredSystem = MeasuredSystem> {
  systems: Of[];
  /** What does not apply, and why. */
  notes: string[];
  close(): Promise<void>;
}

interface Opening<Of extends MeasuredSystem> {
  settings: Settings;
  /** Whether nobody named systems: the only one is then called by what it is. */
  unnamed: boolean;
  /** Opens one under its settings; to which debate it belongs is not known yet. */
  open(entry: SystemEntry, settings: Settings): Promise<Of>;
}

/**
 * Opens each system once by its name, leaves out the control where no tokens are spent, and says which debate it
 * belongs to. The only one that nobody named is called `embedded` when no seat is an LLM's.
 */
export async function openSystems<Of extends MeasuredSystem>(
  given: readonly (string | SystemEntry)[],
  opening: Opening<Of>,
  closeOthers: () => Promise<void> = async () => {},
): Promise<OpenSystems<Of>> {
  const opened: Of[] = [];
  const close = async () => {
    await Promise.all(opened.flatMap(({ repeats }) => repeats.map((system) => system.close())));
    await closeOthers();
  };
  try {
    return { ...(await openEach(opened, dedupeEntries(given.map(toSystemEntry)), opening)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Whoever is open is in `opened`, also when a later one cannot be opened. */
async function openEach<Of extends MeasuredSystem>(
  opened: Of[],
  entries: readonly SystemEntry[],
  { settings, unnamed, open }: Opening<Of>,
): Promise<Omit<OpenSystems<Of>, 'close'>> {
  if (entries.some(({ system }) => system === 'control') && !entries.some(({ system }) => isDebate(system))) {
    throw badFlag(
      'control spends what the debate spent, and no debate is measured.',
      'Add the debate (full, debate) before it.',
    );
  }
  const inapplicable: string[] = [];
  for (const entry of entries) {
    try {
      opened.push(await open(entry, mergeSettings(settings, entry.settings ?? {})));
    } catch (error) {
      // One that has nothing to say in this job must not keep the others from it.
      if (!AgonError.is(error) || error.code !== 'system-does-not-apply' || entries.length === 1) throw error;
      inapplicable.push(error.message);
    }
  }
  assertDistinctNames(opened);
  const measured = opened.filter(({ kind, models }) => !(kind === 'control' && models.every(isEmbedded)));
  if (measured.some(({ kind }) => kind === 'control')) assertTokensCountable(settings);
  const debate = measured.find(({ kind }) => kind === 'debate') ?? null;
  const systems = measured.map((system) => ({
    ...system,
    of: ['ablation', 'control'].includes(system.kind) ? (debate?.name ?? null) : null,
  }));
  if (unnamed && systems.length === 1 && systems[0]!.models.every(isEmbedded))
    systems.splice(0, 1, renameSystem(systems[0]!, 'embedded'));
  return {
    systems,
    notes: [
      ...inapplicable,
      ...(measured.length < opened.length
        ? [
            'control does not apply: it spends the tokens of the debate on independent votes, and embedded seats ' +
              'spend no tokens.',
          ]
        : []),
    ],
  };
}

/** Opens a system once for each repeat: their answers are their own. */
export function openRepeats<Opened>(repeats: number, open: (repeat: number) => Promise<Opened>): Promise<Opened[]> {
  return Promise.all(Array.from({ length: repeats }, (_, index) => open(index + 1)));
}

/** What a system's name comes to: what kind of system it is, and the settings that it judges by. */
export interface SystemVariation {
  kind: SystemKind;
  settings: Settings;
}

/** A system of ours, opened once for each repeat; what is said of the first is true of all. */
export async function openRepeated<System extends ReadySystem, About extends { models: readonly string[] }>(
  name: string,
  { kind, settings }: SystemVariation,
  repeats: number,
  open: (repeat: number) => Promise<{ system: System; about: About }>,
): Promise<MeasuredSystem<System> & About> {
  const opened = await openRepeats(repeats, open);
  const { about } = opened[0]!;
  const models = [...new Set(about.models)];
  return {
    name,
    kind,
    of: null,
    rounds: null,
    settings,
    ...about,
    models,
    repeats: opened.map(({ system }) => system),
  };
}

/** Agon for one repeat of a system: it leaves no case on record. */
export async function openRepeatAgon(job: Job, settings: Settings, repeat: number, parts: AgonParts = {}) {
  const own = withRepeatCache(repeat, withoutLedger(settings));
  const agon = await createAgon(own, { jobs: createJobs([job], ownBlocks), ...parts, only: [job.id] });
  return {
    agon,
    ready: { spent: () => agon.spent(), close: () => agon.close() },
    /** Each repeat after the first has a debate of its own about a subject. */
    nameDebate: (subject: unknown, configuration: string): { debate?: string } =>
      repeat === 1 ? {} : { debate: `${job.casePrefix}-${hashOf([subject, configuration, repeat]).slice(7, 23)}` },
  };
}

/** `judge` or `judge-4-shot`, with a model of its own or without: its seat, and the examples it is shown. */
export async function readJudge<Example>(
  system: string,
  drawShots: () => Promise<Example[]>,
): Promise<{ seats: Settings['seats']; shown: { shots?: Example[] } } | null> {
  const judge = /^judge(?<shots>-4-shot)?(?::(?<model>[^\s:]+:\S+))?$/.exec(system)?.groups;
  return (
    (judge && {
      seats: judge['model'] === undefined ? {} : { judge: judge['model'] },
      shown: judge['shots'] ? { shots: await drawShots() } : {},
    }) ??
    null
  );
}

/** The control spends what the debate spent: where that is not known, it has nothing to spend. */
export function requireTokens(tokens: number | null | undefined): number {
  if (tokens) return tokens;
  throw new AgonError(
    'no-budget',
    'The debate spent no tokens on this item, so that the control has none to spend.',
    'The line about the debate says why.',
  );
}

/** A name that no system has. */
export function unknownSystem(flag: string, system: string, what: string, names: readonly string[]): AgonError {
  return badFlag(
    `--${flag} ${system}: there is no such ${what}.`,
    `${what.charAt(0).toUpperCase()}${what.slice(1)}s are ${names.join(', ')}.`,
  );
}

function isDebate(system: string): boolean {
  return ['full', 'embedded', 'debate'].includes(system) || /^(?:rounds-|all[:-]|seat:)/.test(system);
}

export function isEmbedded(model: string): boolean {
  return model === embeddedModel;
}

function renameSystem<Of extends MeasuredSystem>(system: Of, name: string): Of {
  return { ...system, name, repeats: system.repeats.map((repeat) => ({ ...repeat, name })) };
}

/**
 * Each repeat after the first has a folder of its own below the cache: it must not be told what an earlier one heard.
 */
export function withRepeatCache(repeat: number, settings: Settings): Settings {
  if (repeat === 1 || !settings.cache || settings.cache === 'ledger') return settings;
  return {
    ...settings,
    cache: { ...settings.cache, directory: path.join(settings.cache.directory, `repeat-${repeat}`) },
  };
}

/** The control is matched to the debate by its tokens, and what a cache gives costs none: neither could be counted. */
export function assertTokensCountable({ cache }: Settings): void {
  if (cache)
    throw badFlag(
      '--evaluators control counts tokens, and answers from --cache cost none.',
      'Leave the cache out (AGON_CACHE=false); with --out a run that was stopped goes on.',
    );
}
