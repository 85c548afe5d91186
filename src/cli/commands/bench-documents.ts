import { readDataNames, type DataFlags, makeBenchPlan, type BenchPlanFlags } from '../bench/data-flags.ts';
import { runBench, type BenchRunFlags } from '../bench/run-bench.ts';
import { readDocumentsSettings, type DocumentsSettingsFlags } from '../settings-flags.ts';

export interface BenchDocumentsFlags
  extends DataFlags, Omit<DocumentsSettingsFlags, 'concurrency'>, BenchPlanFlags, BenchRunFlags {
  root?: string;
  systems?: string[];
}

/** `agon bench documents`: returns the exit code. */
export async function benchDocumentsCommand(flags: BenchDocumentsFlags): Promise<number> {
  const { concurrency: _, ...others } = flags;
  const settings = await readDocumentsSettings(others);
  const { plan, notes } = makeBenchPlan('documents', flags, {
    settings,
    names: readDataNames(flags, 'documents'),
    systems: flags.systems,
    set: flags.root === undefined ? {} : { root: flags.root },
  });
  return (await runBench(plan, flags, { settings, notes })).code;
}
