import { badFlag } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import type { Job } from '@agonhq/judges/job';
import { embeddedModel } from '@agonhq/models/reasoners';
import { modelOf, seatsFor, type Settings } from '@agonhq/core/settings';

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
  if (twice) throw badFlag(`Two systems are called ${twice.name}.`, 'Give each a name of its own.');
}

/** A job with the two seats that stand for its models: one that debates, one that judges. */
export interface SeatedJob {
  job: Job;
  debater: string;
  judge: string;
}

/**
 * The settings of a system that is the whole debate with other models in its seats: `all:provider:model`,
 * `all-arbiter` and `all-debaters` (the model composition of Aetheria's Table 3), `seat:NAME=provider:model`.
 * Null for any other name. Who describes images stays: all systems read the same observations.
 */
export function reseatSettings(system: string, seated: SeatedJob, settings: Settings): Settings | null {
  const seats = seatsFor(seated.job, settings, process.env);
  const seatedBy = (model: string): Settings => ({
    ...settings,
    seats: { ...(seats.preprocessor ? { preprocessor: seats.preprocessor } : {}), default: model },
    calibration: false,
  });
  if (system === 'all-arbiter') return seatedBy(modelOf(seated.job, seated.judge, seats)!);
  if (system === 'all-debaters') return seatedBy(modelOf(seated.job, seated.debater, seats)!);
  const all = /^all:(?<model>[^\s:]+:\S+)$/.exec(system)?.groups;
  if (all) return seatedBy(all['model']!);
  const one = /^seat:(?<seat>[a-z-]+(?:#[123])?)=(?<model>[^\s:]+:\S+)$/.exec(system)?.groups;
  if (one) return { ...settings, seats: { ...seats, [one['seat']!]: one['model'] }, calibration: false };
  if (system.startsWith('all:') || system.startsWith('seat:')) {
    throw badFlag(`${system} does not say who sits where.`, 'Write all:openai:gpt-4o, or seat:arbiter=openai:gpt-4o.');
  }
  return null;
}

/** Whether both models of a job are one: then putting it into every seat changes nothing. */
export function usesOneModel({ job, debater, judge }: SeatedJob, settings: Settings): boolean {
  const seats = seatsFor(job, settings, process.env);
  return modelOf(job, debater, seats) === modelOf(job, judge, seats);
}

/** Systems of an ablation, in how many rounds, and what does not apply. */
export interface Ablation {
  systems: readonly SystemEntry[];
  rounds: readonly number[];
  notes: readonly string[];
}

export function ablate(systems: readonly SystemEntry[], more: Partial<Ablation> = {}): Ablation {
  return { systems, rounds: [], notes: [], ...more };
}

/** Rows of an ablation: systems by their names. */
export function listEntries(names: readonly string[]): SystemEntry[] {
  return names.map((name) => ({ name, system: name }));
}

/** The ablation `seats`: each seat in turn left to the embedded model, beside the whole debate. */
export function listSeatAblation(debate: string, seats: readonly string[]): SystemEntry[] {
  const swapped = seats.map((seat) => ({ name: `${seat} embedded`, system: `seat:${seat}=${embeddedModel}` }));
  return [...listEntries([debate]), ...swapped];
}

/** For what measures rather than judges: no case of it goes on record. */
export function withoutLedger(settings: Settings): Settings {
  return { ...settings, ledger: false, cache: settings.cache === 'ledger' ? false : settings.cache };
}
