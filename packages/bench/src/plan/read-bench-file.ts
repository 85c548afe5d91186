import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Jobs } from '@agonhq/judges/job';
import { requireJobBench } from '../jobs/index.ts';
import { mergeSettings, readSettings, type Settings } from '@agonhq/core/settings';
import { dedupeEntries, toSystemEntry, type SystemEntry } from '../systems/system-entry.ts';
import { expandAblation, type BenchPlan, type PlannedSet } from './bench-plan.ts';

const words = z.string().trim().min(1);
const systemSchema = z.union([words, z.strictObject({ name: words, system: words, settings: z.unknown().optional() })]);
const publishedSchema = z.strictObject({ system: words, metric: words, value: z.number(), source: words });

const setSchema = z.strictObject({
  job: words,
  title: words.optional(),
  /** Of several the first that is there. */
  file: z.union([words, z.array(words).min(1)]),
  format: words.optional(),
  root: words.optional(),
  limit: z.int().min(1).optional(),
  map: z.record(z.string(), words).optional(),
  labels: z.record(z.string(), words).optional(),
  by: words.optional(),
  /** These instead of those of its job. */
  systems: z.array(systemSchema).min(1).optional(),
  trained: z.array(words).default([]),
  published: z.array(publishedSchema).default([]),
  /** Left out, and said to be, where its file is not there. */
  optional: z.boolean().default(false),
});

const ofEachJob = <Value extends z.ZodType>(value: Value) => z.record(words, value);

const fileSchema = z.strictObject({
  version: z.literal(1),
  name: words.optional(),
  title: words.optional(),
  seed: z.int().min(1).default(1),
  repeats: z.int().min(1).max(100).default(1),
  invalid: z.enum(['error', 'exclude']).default('error'),
  concurrency: z.int().min(1).max(1000).default(8),
  settings: z.unknown().optional(),
  systems: ofEachJob(z.array(systemSchema).min(1)).default({}),
  ablate: ofEachJob(z.array(words)).default({}),
  rounds: ofEachJob(z.array(z.int().min(1).max(10))).default({}),
  agents: ofEachJob(z.array(z.int().min(1).max(3))).default({}),
  shots: ofEachJob(words).default({}),
  data: z.array(setSchema).min(1),
});

export interface BenchFileOptions {
  /** Those that its sets may be of. */
  jobs: Jobs;
  /** What the command sets beside the file: weaker than the file's own settings. */
  settings: Settings;
  environment: Record<string, string | undefined>;
}

/**
 * Reads a bench file. Paths are relative to it; `${AGON_DATASETS}` at the beginning of one is the folder of that
 * name.
 */
export async function readBenchFile(
  file: string,
  { jobs, settings, environment }: BenchFileOptions,
): Promise<{ plan: BenchPlan; notes: string[] }> {
  const given = await parseFile(file);
  const label = path.basename(file);
  const parsed = fileSchema.safeParse(given);
  if (!parsed.success) {
    const [first] = parsed.error.issues;
    throw new AgonError(
      'bad-bench-file',
      `${label}: ${first!.path.join('.') || 'it'}: ${first!.message}.`,
      'docs/bench.md shows a bench file, field by field.',
    );
  }
  const bench = parsed.data;
  const { systems: named, ablate, rounds, agents, shots: shown } = bench;
  const asked = [...bench.data.map(({ job }) => job), ...[named, ablate, rounds, agents, shown].flatMap(Object.keys)];
  const unknown = asked.find((job) => jobs.find(job) === undefined);
  if (unknown !== undefined)
    throw new AgonError(
      'bad-bench-file',
      `${label}: there is no job ${JSON.stringify(unknown)}.`,
      `There are ${jobs
        .list()
        .map(({ id }) => id)
        .join(', ')}.`,
    );
  const own = mergeSettings(settings, readOwnSettings(jobs, bench.settings, label));
  const place = (given: string) => resolvePlace(given, path.dirname(file), environment, bench.data.map(nameSet));
  const notes: string[] = [];
  const sets = bench.data.flatMap((set): PlannedSet[] => {
    const places = [set.file].flat().map(place);
    const at = places.find((one) => existsSync(one)) ?? places[0]!;
    if (set.optional && !existsSync(at)) {
      notes.push(`${nameSet(set)} was not measured: ${path.basename(at)} is not there.`);
      return [];
    }
    const { job } = set;
    const named = (set.systems ?? bench.systems[job] ?? []).map((system) => readSystemEntry(jobs, system, label));
    const ablated = (set.systems ? [] : (bench.ablate[job] ?? [])).map((name) =>
      expandAblation(name, requireJobBench(job, jobs), own),
    );
    notes.push(...ablated.flatMap((one) => one.notes));
    const systems = dedupeEntries([...named, ...ablated.flatMap((one) => one.systems)]);
    const shots = bench.shots[job];
    return [
      {
        job,
        title: set.title,
        file: at,
        format: set.format,
        root: set.root === undefined ? undefined : place(set.root),
        limit: set.limit,
        fields: set.map,
        labels: set.labels,
        by: set.by,
        ...(systems.length > 0 ? { systems } : {}),
        rounds: bench.rounds[job] ?? ablated.flatMap((one) => one.rounds),
        agents: bench.agents[job] ?? [],
        trained: set.trained,
        published: set.published,
        ...(shots === undefined ? {} : { shots: place(shots) }),
        settings: own,
      },
    ];
  });
  if (sets.length === 0)
    throw new AgonError(
      'no-data',
      `${label}: none of its ${bench.data.length} sets of data is there.`,
      'Point AGON_DATASETS at the folder that holds them.',
    );
  const name = bench.name ?? path.basename(file).replace(/\.[^.]*$/, '');
  return {
    plan: {
      name,
      title: bench.title ?? name,
      parameters: { seed: bench.seed, repeats: bench.repeats, invalid: bench.invalid },
      concurrency: bench.concurrency,
      sets,
      jobs,
    },
    notes: [...new Set(notes)],
  };
}

async function parseFile(file: string): Promise<unknown> {
  const label = path.basename(file);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new AgonError(
      'unreadable-file',
      `${file} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : (error.code ?? error.message)}.`,
      'Name a bench file: agon bench run packages/lab/bench/paper.yaml.',
      { cause: error },
    );
  });
  try {
    const { parse } = await import('yaml');
    return parse(text);
  } catch (error) {
    throw new AgonError(
      'bad-bench-file',
      `${label} is not YAML: ${(error as Error).message.split('\n')[0]}`,
      'docs/bench.md shows a bench file, field by field.',
      { cause: error },
    );
  }
}

function nameSet({ title, file }: { title?: string; file: string | string[] }): string {
  return title ?? path.basename([file].flat()[0]!);
}

function readOwnSettings(jobs: Jobs, given: unknown, label: string): Settings {
  return given === undefined ? {} : readSettings(jobs, given, `${label}, settings`);
}

function readSystemEntry(jobs: Jobs, given: z.infer<typeof systemSchema>, label: string): SystemEntry {
  if (typeof given === 'string') return toSystemEntry(given);
  return {
    name: given.name,
    system: given.system,
    ...(given.settings === undefined
      ? {}
      : { settings: readSettings(jobs, given.settings, `${label}, ${given.name}`) }),
  };
}

const datasets = /^\$\{?AGON_DATASETS\}?(?=[\\/]|$)/;

function resolvePlace(
  given: string,
  folder: string,
  environment: Record<string, string | undefined>,
  titles: readonly string[],
): string {
  if (!datasets.test(given)) return path.resolve(folder, given);
  const root = environment['AGON_DATASETS'];
  if (!root)
    throw new AgonError(
      'no-datasets',
      `AGON_DATASETS is not set, so that nothing was measured of ${titles.join(', ')}.`,
      'Point AGON_DATASETS at the folder of the data sets; Agon ships none of them.',
    );
  return path.resolve(given.replace(datasets, () => root));
}
