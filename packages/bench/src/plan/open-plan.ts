import { nameDataset } from '@agonhq/core/runs';
import { readDataset, type Dataset } from '../datasets/read-dataset.ts';
import type { JobBench } from '../job-bench.ts';
import { requireJobBench } from '../jobs/index.ts';
import type { OpenSystems, OpenSystemsOptions } from '../systems/open-systems.ts';
import type { BenchPlan, PlannedSet } from './bench-plan.ts';
import { drawExamples } from './draw-examples.ts';

/** A set of a plan with its data. */
export interface ReadSet {
  planned: PlannedSet;
  bench: JobBench;
  data: Dataset;
}

/** What the systems of a bench share with others; by default nothing. */
export type SharedMeans = Pick<OpenSystemsOptions, 'parts' | 'precedents'>;

/** Reads the data of a plan. */
export async function readPlannedSets({ sets, jobs }: Pick<BenchPlan, 'sets' | 'jobs'>): Promise<ReadSet[]> {
  const read: ReadSet[] = [];
  for (const planned of sets) {
    const bench = requireJobBench(planned.job, jobs);
    read.push({ planned, bench, data: await readDataset(bench, planned.file, planned) });
  }
  return read;
}

/** Opens the systems that are measured on a set. */
export function openPlannedSystems(
  { parameters }: Pick<BenchPlan, 'parameters'>,
  { planned, bench, data }: ReadSet,
  { parts = {}, precedents }: SharedMeans = {},
): Promise<OpenSystems> {
  return bench.openSystems(planned.systems, planned.settings, {
    repeats: parameters.repeats,
    rounds: planned.rounds,
    agents: planned.agents,
    datasets: [nameDataset(data.file)],
    root: data.root,
    ...(precedents ? { precedents } : {}),
    parts: { ...parts, ...(planned.policy ? { policy: planned.policy } : {}) },
    drawExamples: (toExample) =>
      drawExamples(
        {
          file: planned.shots,
          seed: parameters.seed,
          measured: data,
          read: (file) => readDataset(bench, file, {}),
        },
        toExample,
      ),
  });
}
