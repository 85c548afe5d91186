import path from 'node:path';
import { AgonError } from '../../errors.ts';
import { embeddedModel } from '../../reasoners/index.ts';
import type { Settings } from '../../settings/index.ts';
import type { BenchJob } from '../result.ts';
import { assertDistinctNames, dedupeEntries, type SystemEntry } from './system-entry.ts';
import type { MeasuredSystem } from './system.ts';

export interface OpenSystemsOptions {
  repeats: number;
  /** Which of several debates of the same kind there are: T and N of an evaluation. */
  rounds: readonly number[];
  agents: readonly number[];
  /** What the data is called: precedents that were learnt from it are not shown. */
  datasets: readonly string[];
  /** Four labelled examples for the judge that is shown some. */
  shots(job: BenchJob): Promise<never[]>;
}

/** Everybody who is measured, until they are closed. */
export interface OpenSystems<System, Of extends MeasuredSystem<System> = MeasuredSystem<System>> {
  contenders: Of[];
  /** What does not apply, and why. */
  notes: string[];
  close(): Promise<void>;
}

interface Opening<System, Of extends MeasuredSystem<System>> {
  settings: Settings;
  /** Whether nobody named systems: the only one is then called by what it is. */
  unnamed: boolean;
  options: OpenSystemsOptions;
  open(entry: SystemEntry): Promise<OpenedSystem<System, Of>>;
}

/** A contender before it is known which debate it belongs to; called by its entry's name unless it has another. */
export type OpenedSystem<System, Of extends MeasuredSystem<System> = MeasuredSystem<System>> = Omit<
  Of,
  'name' | 'of'
> & {
  name?: string;
};

/**
 * Opens each system once by its name, leaves out the control where no tokens are spent, and says which debate it
 * belongs to.
 */
export async function openSystems<System extends { close(): Promise<void> }, Of extends MeasuredSystem<System>>(
  entries: readonly SystemEntry[],
  opening: Opening<System, Of>,
  closeOthers: () => Promise<void> = async () => {},
): Promise<OpenSystems<System, Of>> {
  const opened: Of[] = [];
  const close = async () => {
    await Promise.all(opened.flatMap(({ repeats }) => repeats.map((system) => system.close())));
    await closeOthers();
  };
  try {
    return { ...(await openEach(opened, dedupeEntries(entries), opening)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Whoever is open is in `opened`, also when a later one cannot be opened. */
async function openEach<System, Of extends MeasuredSystem<System>>(
  opened: Of[],
  entries: readonly SystemEntry[],
  { settings, unnamed, open }: Opening<System, Of>,
): Promise<Omit<OpenSystems<System, Of>, 'close'>> {
  if (entries.some(({ system }) => system === 'control') && !entries.some(({ system }) => isDebate(system))) {
    throw new AgonError(
      'bad-flag',
      'control spends what the debate spent, and no debate is measured.',
      'Add the debate (full, debate) before it.',
    );
  }
  const beside: string[] = [];
  for (const entry of entries) {
    try {
      opened.push({ name: entry.name, ...(await open(entry)) } as unknown as Of);
    } catch (error) {
      // One that has nothing to say in this job must not keep the others from it.
      if (!AgonError.is(error) || error.code !== 'system-does-not-apply' || entries.length === 1) throw error;
      beside.push(error.message);
    }
  }
  assertDistinctNames(opened);
  const measured = opened.filter(({ kind, models }) => !(kind === 'control' && models.every(isEmbedded)));
  if (measured.some(({ kind }) => kind === 'control')) assertTokensCountable(settings);
  const debate = measured.find(({ kind }) => kind === 'debate') ?? null;
  const contenders = measured.map((contender) => ({
    ...contender,
    of: ['ablation', 'control'].includes(contender.kind) ? (debate?.name ?? null) : null,
  }));
  if (unnamed && contenders.length === 1 && contenders[0]!.models.every(isEmbedded))
    contenders.splice(0, 1, renameSystem(contenders[0]!, 'embedded'));
  return {
    contenders,
    notes: [
      ...beside,
      ...(measured.length < opened.length
        ? [
            'control does not apply: it spends the tokens of the debate on independent votes, and embedded seats ' +
              'spend no tokens.',
          ]
        : []),
    ],
  };
}

function isDebate(system: string): boolean {
  return ['full', 'embedded', 'debate'].includes(system) || /^(?:rounds-|all[:-]|seat:)/.test(system);
}

export function isEmbedded(model: string): boolean {
  return model === embeddedModel;
}

function renameSystem<System, Of extends MeasuredSystem<System>>(contender: Of, name: string): Of {
  return { ...contender, name, repeats: contender.repeats.map((system) => ({ ...system, name })) };
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
    throw new AgonError(
      'bad-flag',
      '--evaluators control counts tokens, and answers from --cache cost none.',
      'Leave the cache out (AGON_CACHE=false); with --out a run that was stopped goes on.',
    );
}
