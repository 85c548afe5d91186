import { AgonError } from '@agonhq/engine/agon-error';
import { ownJobs } from '@agonhq/core/own-jobs';
import { hashOf } from '@agonhq/engine/hash';
import type { Ledger, NewRunItem } from '@agonhq/ledger';
import { embeddedModel } from '@agonhq/models/reasoners';
import { estimateRun, type RunEstimate } from '@agonhq/core/runs';
import type { LabelledItem } from '../datasets/labelled-item.ts';
import type { SharedSystemParts } from '../systems/open-systems.ts';
import { inTurn } from '../systems/run-system.ts';
import type { MeasuredSystem } from '../systems/system.ts';
import type { BenchPlan } from './bench-plan.ts';
import { openPlannedSystems, readPlannedSets, type ReadSet } from './open-plan.ts';

/** What a bench would take, system by system. Dollars are null where a price is not known. */
interface BenchEstimate {
  /** Items that can be read, and lines that cannot. */
  items: number;
  broken: number;
  repeats: number;
  /** Items × systems × repeats. */
  judgements: number;
  systems: readonly SystemEstimate[];
  calls: number;
  usd: Range | null;
  atMostUsd: number | null;
  /** What does not apply, and what was taken for granted. */
  notes: readonly string[];
}

interface SystemEstimate {
  name: string;
  models: readonly string[];
  calls: number;
  usd: Range | null;
  atMostUsd: number | null;
}

type Range = RunEstimate['run']['calls'];

interface BenchEstimateOptions {
  parts: SharedSystemParts;
  /** Past turns and precedents are read from it; nothing is written. */
  ledger: Ledger;
  /** How many items are tried with each system. */
  sample: number;
  /** Keeps the text of a document as a file for as long as the estimate takes; returns where. */
  keepText(text: string): Promise<string>;
  signal: AbortSignal;
}

const nothing: Range = { expected: 0, low: 0, high: 0 };

/** Prices a bench before it starts, without a call to a model. The systems are opened: a wrong one is said at once. */
export async function estimateBench(plan: BenchPlan, options: BenchEstimateOptions): Promise<BenchEstimate> {
  const sets = await readPlannedSets(plan);
  const { repeats } = plan.parameters;
  const systems: SystemEstimate[] = [];
  const notes = new Set<string>();
  let judgements = 0;
  for (const set of sets) {
    const {
      systems: opened,
      notes: found,
      close,
    } = await openPlannedSystems(plan, set, { parts: options.parts, precedents: options.ledger });
    await close();
    for (const note of found) notes.add(note);
    judgements += set.data.lines.length * opened.length * repeats;
    const items = await listRunItems(set, options.keepText);
    for (const system of opened)
      systems.push(await estimateSystem(system, opened, { set, items, plan, options, notes, done: systems }));
  }
  const lines = sets.flatMap(({ data }) => data.lines);
  const items = lines.filter((line) => 'item' in line).length;
  return {
    items,
    broken: lines.length - items,
    repeats,
    judgements,
    systems,
    calls: systems.reduce((sum, { calls }) => sum + calls, 0),
    usd: systems.reduce<Range | null>((sum, { usd }) => sum && usd && addRanges(sum, usd), nothing),
    atMostUsd: systems.reduce<number | null>(
      (sum, { atMostUsd }) => (sum === null || atMostUsd === null ? null : sum + atMostUsd),
      0,
    ),
    notes: [...notes],
  };
}

interface Surroundings {
  set: ReadSet;
  items: readonly NewRunItem[];
  plan: BenchPlan;
  options: BenchEstimateOptions;
  notes: Set<string>;
  done: readonly SystemEstimate[];
}

async function estimateSystem(
  { name, kind, of, models, settings }: MeasuredSystem,
  beside: readonly MeasuredSystem[],
  { set, items, plan, options, notes, done }: Surroundings,
): Promise<SystemEstimate> {
  const free = { name, models: [...models], calls: 0, usd: nothing, atMostUsd: 0 };
  if (models.every((model) => model === embeddedModel)) return free;
  // The control spends what the debate spends.
  const debate = kind === 'control' ? done.find((one) => one.name === of) : undefined;
  if (debate && beside.some((one) => one.name === of)) return { ...debate, name, models: [...models] };
  if (!settings) return { ...free, usd: null, atMostUsd: null };
  const { policy } = set.planned;
  const estimate = await estimateRun({
    jobs: plan.jobs ?? ownJobs,
    job: set.planned.job,
    settings: { ...settings, ledger: false, cache: false },
    ...(policy ? { policy } : {}),
    items: inTurn(items),
    sample: options.sample,
    seed: plan.parameters.seed,
    ledger: options.ledger,
    ...(options.parts.environment ? { environment: options.parts.environment } : {}),
    signal: options.signal,
  });
  for (const assumption of estimate.assumptions) notes.add(assumption);
  // A run judges the same content once, a bench every line.
  const times = (plan.parameters.repeats * estimate.input.items) / Math.max(1, estimate.input.judged);
  const { run, atMost } = estimate;
  return {
    name,
    models: [...models],
    calls: run.calls.expected * times,
    usd: run.usd && scaleRange(run.usd, times),
    atMostUsd: atMost.usd === null ? null : atMost.usd * times,
  };
}

/** The items as a run would have them. */
async function listRunItems(
  { bench, data }: ReadSet,
  keepText: BenchEstimateOptions['keepText'],
): Promise<NewRunItem[]> {
  const items: NewRunItem[] = [];
  for (const { key, line, ...rest } of data.lines) {
    const input = 'item' in rest ? await readInput(bench, rest.item, data.root, keepText) : null;
    if (input !== null) items.push({ position: line, key, hash: hashOf(input), input });
  }
  return items;
}

/** Null for what cannot be read: it fails when it is judged, and costs nothing. */
async function readInput(
  bench: ReadSet['bench'],
  item: LabelledItem,
  root: string,
  keepText: BenchEstimateOptions['keepText'],
): Promise<unknown> {
  return bench.toRunInput(item, { root, keepText }).catch((error: unknown) => {
    if (AgonError.is(error)) return null;
    throw error;
  });
}

function addRanges(one: Range, other: Range): Range {
  return { expected: one.expected + other.expected, low: one.low + other.low, high: one.high + other.high };
}

function scaleRange({ expected, low, high }: Range, factor: number): Range {
  return { expected: expected * factor, low: low * factor, high: high * factor };
}
