import type { PlannedSet } from '../../bench/index.ts';
import {
  readDataSettings,
  type ContentDataFlags,
  readDataNames,
  makeBenchPlan,
  type BenchPlanFlags,
} from '../bench/data-flags.ts';
import { runBench, type BenchRunFlags } from '../bench/run-bench.ts';

export interface BenchFlags extends ContentDataFlags, BenchPlanFlags, BenchRunFlags {
  systems?: string[];
  by: string;
}

/** `agon bench moderation`: returns the exit code. */
export async function benchModerationCommand(flags: BenchFlags): Promise<number> {
  const settings = await readDataSettings(flags);
  const set: Partial<PlannedSet> = {
    by: flags.by,
    preferImages: flags.vision === true,
    ...(flags.root === undefined ? {} : { root: flags.root }),
  };
  const { plan, notes } = makeBenchPlan('moderation', flags, {
    settings,
    names: readDataNames(flags, 'moderation'),
    systems: flags.systems,
    set,
  });
  return (await runBench(plan, flags, { settings, notes })).code;
}
