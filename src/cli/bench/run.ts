import type { Command } from 'commander';
import { addExamples, setAction } from '../define-command.ts';
import { addConfigFlag } from '../flags.ts';
import type { SettingsFlags } from '../read-settings.ts';
import { addBenchOutputFlags } from './flags.ts';
import type { BenchRunFlags } from './run-bench.ts';

type BenchFileFlags = BenchRunFlags &
  Pick<SettingsFlags, 'config' | 'ledger' | 'policy' | 'cache' | 'budgetUsd' | 'runBudgetUsd'>;

/** `agon bench run FILE` */
export function define(command: Command): void {
  command
    .description('Measure what a bench file describes. An interrupted bench continues where it stopped.')
    .argument('<bench.yaml>', 'bench file: data, systems, seeds, repeats');
  addBenchOutputFlags(command);
  addConfigFlag(command)
    .option('--policy <file>', 'policy to judge by (default: the policy that Agon ships)')
    .option('--cache <folder>', 'cache model answers in this folder')
    .option('--run-budget-usd <amount>', 'spend at most this much per system')
    .option('-q, --quiet', 'print no progress');
  addExamples(command, [
    'agon bench run bench/paper.yaml --report results.md --report results.html',
    'agon bench run nightly.yaml --fail-under f1=.85 --report junit.xml',
  ]);
  setAction(command, runBenchFile);
}

async function runBenchFile(file: string, flags: BenchFileFlags): Promise<number> {
  const { readBenchFile } = await import('../../bench/index.ts');
  const { readInstallationSettings } = await import('../read-settings.ts');
  const { runBench } = await import('./run-bench.ts');
  const settings = await readInstallationSettings(flags);
  const { plan, notes } = await readBenchFile(file, { settings, environment: process.env });
  return (await runBench(plan, flags, { settings, notes })).code;
}
