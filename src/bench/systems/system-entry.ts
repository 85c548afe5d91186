import { requireJob } from '../../jobs/index.ts';
import { AgonError } from '../../errors.ts';
import { hashOf } from '../../hash.ts';
import { modelOf, seatsFor, type Settings } from '../../settings/index.ts';
import type { BenchJob } from '../result.ts';

/** A system as a bench names it: one of ours by its name, under settings of its own where it has some. */
export interface SystemEntry {
  /** What tables call it. */
  name: string;
  /** `full`, `without-loose`, `judge:openai:gpt-5` … */
  system: string;
  settings?: Settings;
}

/** `full`, or `three rounds` with what it stands for. */
export function toSystemEntry(given: string | SystemEntry): SystemEntry {
  return typeof given === 'string' ? { name: given, system: given } : given;
}

/** Each once, in their order: one that is named again as it was is the same. */
export function dedupeEntries(entries: readonly SystemEntry[]): SystemEntry[] {
  const different = [
    ...new Map(entries.map((entry) => [hashOf([entry.name, entry.system, entry.settings ?? {}]), entry])).values(),
  ];
  assertDistinctNames(different);
  return different;
}

/** Tables, receipts and results are found by name. */
export function assertDistinctNames(systems: readonly { name: string }[]): void {
  const twice = systems.find(({ name }, index) => systems.findIndex((other) => other.name === name) < index);
  if (twice) throw new AgonError('bad-flag', `Two systems are called ${twice.name}.`, 'Give each a name of its own.');
}

/** Who stands for the two models of a job that tells debaters from judges. */
const speakers = {
  moderation: ['strict-debater', 'arbiter'],
  evaluation: ['auditor', 'arbiter'],
  documents: ['affirmative', 'synthesizer'],
} as const;

/**
 * The settings of a system that is the whole debate with other models in its seats: `all:provider:model`,
 * `all-arbiter` and `all-debaters` (the model composition of Aetheria's Table 3), `seat:NAME=provider:model`.
 * Null for any other name. Who describes images stays: all systems read the same observations.
 */
export function reseatSettings(system: string, job: BenchJob, settings: Settings): Settings | null {
  const seats = seatsFor(requireJob(job), settings, process.env);
  const seatedBy = (model: string): Settings => ({
    ...settings,
    seats: { ...(seats.preprocessor ? { preprocessor: seats.preprocessor } : {}), default: model },
    calibration: false,
  });
  if (system === 'all-arbiter' || system === 'all-debaters')
    return seatedBy(modelOf(speakers[job][system === 'all-arbiter' ? 1 : 0], seats)!);
  const all = /^all:(?<model>[^\s:]+:\S+)$/.exec(system)?.groups;
  if (all) return seatedBy(all['model']!);
  const one = /^seat:(?<seat>[a-z-]+(?:#[123])?)=(?<model>[^\s:]+:\S+)$/.exec(system)?.groups;
  if (one) return { ...settings, seats: { ...seats, [one['seat']!]: one['model'] }, calibration: false };
  if (system.startsWith('all:') || system.startsWith('seat:')) {
    throw new AgonError(
      'bad-flag',
      `${system} does not say who sits where.`,
      'Write all:openai:gpt-4o, or seat:arbiter=openai:gpt-4o.',
    );
  }
  return null;
}

/** Whether both models of a job are one: then putting it into every seat changes nothing. */
export function usesOneModel(job: BenchJob, settings: Settings): boolean {
  const seats = seatsFor(requireJob(job), settings, process.env);
  const [debater, judge] = speakers[job].map((seat) => modelOf(seat, seats));
  return debater === judge;
}

/** For what measures rather than judges: no case of it goes on record. */
export function withoutLedger(settings: Settings): Settings {
  return { ...settings, ledger: false, cache: settings.cache === 'ledger' ? false : settings.cache };
}
