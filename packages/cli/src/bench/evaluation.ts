import type { Command } from 'commander';
import type { FreshSet } from '@agonhq/bench';
import { badFlag } from '@agonhq/engine/agon-error';
import { evaluationJob } from '@agonhq/judges/evaluation';
import type { Settings } from '@agonhq/core/settings';
import { addExamples, setAction, addDataFlags, amount, list } from '../define-command.ts';
import { saveFile } from '../files.ts';
import { readNumberRange } from '../read-flags.ts';
import type { SettingsFlags } from '../read-settings.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import { describeCalibration } from './calibrate.ts';
import { addBenchFlags, addScreenFlags } from './flags.ts';
import type { BenchPlanFlags, DataFlags } from './plan-bench.ts';
import type { BenchRunFlags } from './run-bench.ts';
import type { ScreenFlags } from './screen-items.ts';

interface BenchFlags extends DataFlags, SettingsFlags, BenchPlanFlags, BenchRunFlags {
  evaluators?: string[];
  systems?: string[];
  delta?: number;
  gamma?: number;
  /** Several of each: every evaluator gets its own. */
  rounds?: string;
  agents?: string;
  fitReference?: string;
  fitCalibration?: string;
}

/** `agon bench evaluation` */
export function defineBenchEvaluation(command: Command): void {
  command.description(
    'Measure evaluators on labelled exchanges: the tables and figures of the RADAR paper, with intervals, paired ' +
      'tests and what the debate adds.',
  );
  addDataFlags(command, {
    fields: '"id", "label", "prompt" and "response" or "messages", optionally "model", "risk", "behaviour"',
    map: 'prompt=question,response=answer',
    labels: 'harmful=unsafe,fine=safe',
  });
  addBenchFlags(command, { ablations: 'radar, rounds, seats' })
    .option(
      '--evaluators, --systems <names>',
      'evaluators to measure; the others are compared with the first: debate, vote, role-free, control, judge, ' +
        'judge:provider:model, judge-4-shot, guard, prefix-match, pattern-match, harmbench-cls:provider:model, ' +
        'predictions:NAME=FILE, … (default: debate)',
      list,
    )
    .option('--rounds <numbers>', 'rounds of debate, each a system of its own: 3, 2,4 or 2..5')
    .option('--agents <numbers>', 'auditors and detectors, each a system of its own: 1, 1,3 or 1..3')
    .option('--delta <nats>', 'δ of equation 2: divergence from which two evaluators count as biased', amount)
    .option('--gamma <share>', 'γ of equation 3: difference from which a judge counts as sparing its family', amount)
    .option(
      '--fit-reference <reference.json>',
      'fit the reference of equation 5 on the statements of the critic in the first debate, and write it here',
    )
    .option(
      '--fit-calibration <calibration.json>',
      'fit a calibration of the first debate, or of the only evaluator, and write it here',
    );
  addSettingsFlags(command, { kind: 'bench', job: evaluationJob });
  addExamples(command, [
    'agon bench evaluation --data exchanges.jsonl',
    'agon bench evaluation --data exchanges.jsonl --evaluators debate,vote,role-free,guard --report bench.html',
    'agon bench evaluation --data exchanges.jsonl --rounds 2..5 --agents 1..3 --repeats 3 --out results.jsonl',
    'agon bench evaluation --data exchanges.jsonl --evaluators debate,judge:openai:gpt-5,judge:xai:grok-3',
    'agon bench evaluation --data exchanges.jsonl --fit-calibration calibration.json',
  ]);
  setAction(command, benchEvaluation);
}

async function benchEvaluation({ systems, ...given }: BenchFlags): Promise<number> {
  const { exchangeNames, makeBenchPlan, readDataNames } = await import('./plan-bench.ts');
  const { runBench } = await import('./run-bench.ts');
  const flags = { ...given, evaluators: given.evaluators ?? systems };
  const settings = await readBenchSettings(flags);
  const { plan, notes } = makeBenchPlan('evaluation', flags, {
    settings,
    names: readDataNames(flags, exchangeNames),
    systems: flags.evaluators,
    ...(flags.rounds === undefined ? {} : { rounds: readNumberRange('--rounds', flags.rounds, [1, 10]) }),
    agents: flags.agents === undefined ? [] : readNumberRange('--agents', flags.agents, [1, 3]),
  });
  assertFittable(flags);
  const { sets, code } = await runBench(plan, flags, { settings, notes, remarks: listFitNotes(flags) });
  await saveFits(flags, sets);
  return code;
}

/** Fits use the debate, or the only evaluator. */
function assertFittable({ evaluators = ['debate'], fitReference, fitCalibration: fitted }: BenchFlags): void {
  const debate = evaluators.includes('debate');
  if (fitReference !== undefined && !debate)
    throw badFlag(
      '--fit-reference needs a debate: it is fitted on the statements of its critic.',
      'Add debate to --evaluators.',
    );
  if (fitted !== undefined && !debate && new Set(evaluators).size > 1)
    throw badFlag(
      '--fit-calibration needs the debate, or only one evaluator.',
      'Measure one evaluator at a time, or add debate to --evaluators.',
    );
}

async function saveFits(flags: BenchFlags, sets: readonly FreshSet[]): Promise<void> {
  if (flags.fitReference === undefined && flags.fitCalibration === undefined) return;
  const { requireJobBench } = await import('@agonhq/bench');
  const bench = requireJobBench('evaluation');
  const measured = sets.map((set) => set.measured);
  if (flags.fitReference !== undefined) await saveFit(flags.fitReference, bench.fit!(measured), 'Reference');
  if (flags.fitCalibration === undefined) return;
  const calibration = bench.fitCalibration!(measured);
  await saveFit(flags.fitCalibration, calibration, 'Calibration');
  if (!flags.quiet) process.stderr.write(`${describeCalibration(calibration)}\n`);
}

/** What is fitted on data must not influence the figures on the same data. */
function listFitNotes(flags: BenchFlags): string[] {
  const without = (what: string) => `The figures do not use the ${what} that was fitted on them.`;
  return [
    ...(flags.fitReference === undefined ? [] : [without('reference')]),
    ...(flags.fitCalibration === undefined ? [] : [without('calibration')]),
  ];
}

async function readBenchSettings(flags: BenchFlags): Promise<Settings> {
  const { mergeSettings } = await import('@agonhq/core/settings');
  const { readJobSettings } = await import('../read-settings.ts');
  if (flags.fitCalibration !== undefined && (flags.delta !== undefined || flags.gamma !== undefined)) {
    throw badFlag(
      '--fit-calibration cannot be combined with --delta and --gamma, which `agon evaluate` does not have.',
      'Set evaluation.delta and evaluation.gamma in agon.config.yaml, for both commands.',
    );
  }
  const thresholds = {
    ...(flags.delta === undefined ? {} : { delta: flags.delta }),
    ...(flags.gamma === undefined ? {} : { gamma: flags.gamma }),
  };
  const { settings: given } = await readJobSettings(flags, { kind: 'bench', job: evaluationJob });
  const settings = mergeSettings(given, { evaluation: thresholds });
  return mergeSettings(
    settings,
    flags.fitReference === undefined ? {} : { evaluation: { reference: false } },
    flags.fitCalibration === undefined ? {} : { calibration: false },
  );
}

async function saveFit(file: string, fit: unknown, what: string): Promise<void> {
  const hint = 'Choose another file; with --out nothing is judged twice.';
  await saveFile(file, `${JSON.stringify(fit, null, 2)}\n`, hint);
  process.stderr.write(`${what}: ${file}\n`);
}

/** `agon bench screen evaluation` */
export function defineScreenEvaluation(command: Command): void {
  command.description('Flag exchanges that evaluators judge differently from their label, or from each other.');
  addDataFlags(command, {
    fields: '"id", "prompt" and "response" or "messages", optionally "label"',
    map: 'prompt=question,response=answer',
    labels: 'harmful=unsafe,fine=safe',
  });
  addScreenFlags(command);
  addSettingsFlags(command, { kind: 'bench', job: evaluationJob });
  addExamples(command, [
    'agon bench screen evaluation --data exchanges.jsonl --systems debate,guard,pattern-match --flagged flagged.jsonl',
    'agon bench screen evaluation --data exchanges.jsonl --systems debate,judge:openai:gpt-5,judge:xai:grok-3 \\',
    '  --quorum 2 --flagged flagged.jsonl --out results.jsonl',
  ]);
  setAction(command, screenEvaluation);
}

async function screenEvaluation(flags: ScreenFlags & SettingsFlags): Promise<void> {
  const { readJobSettings } = await import('../read-settings.ts');
  const { exchangeNames } = await import('./plan-bench.ts');
  const { askAboutItems } = await import('./screen-items.ts');
  const { settings } = await readJobSettings(flags, { kind: 'bench', job: evaluationJob });
  return askAboutItems('evaluation', flags, settings, { names: exchangeNames });
}
