import { readBenchFile } from '../../bench/index.ts';
import { runBench, type BenchRunFlags } from '../bench/run-bench.ts';
import { readInstallationSettings, type SettingsFlags } from '../settings-flags.ts';

export interface BenchFileFlags
  extends BenchRunFlags, Pick<SettingsFlags, 'config' | 'ledger' | 'policy' | 'cache' | 'budgetUsd' | 'runBudgetUsd'> {}

/** `agon bench run FILE`: returns the exit code. */
export async function benchRunCommand(file: string, flags: BenchFileFlags): Promise<number> {
  const settings = await readInstallationSettings(flags);
  const { plan, notes } = await readBenchFile(file, { settings, environment: process.env });
  return (await runBench(plan, flags, { settings, notes })).code;
}
