import {
  runSystem,
  whyNothing,
  type BenchResults,
  type LabelledData,
  type LabelledItem,
  type OpenSystem,
  type SystemRun,
} from '../bench/index.ts';
import { benchWatch } from './bench-watch.ts';

export interface MeasureOptions {
  results: BenchResults;
  kept: boolean;
  concurrency: number;
  quiet?: boolean;
}

/** Runs one system over one set of data, with its progress on standard error. */
export async function measureSystem<Subject, Item extends LabelledItem<Subject>>(
  system: OpenSystem<Subject>,
  data: LabelledData<Item>,
  { results, concurrency, ...watched }: MeasureOptions,
): Promise<SystemRun<Item>> {
  const run = await benchWatch(watched)(
    { file: data.file, system: system.name, beside: false, spent: () => system.spent() },
    (conditions) => runSystem(system, data, { ...conditions, results, concurrency }),
  );
  const problem = whyNothing(run, data.file);
  if (problem) throw problem;
  return run;
}
