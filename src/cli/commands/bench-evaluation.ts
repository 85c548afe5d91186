import { writeFile } from 'node:fs/promises';
import { fitCalibration, fitReferenceOn, type FreshSet } from '../../bench/index.ts';
import { AgonError } from '../../errors.ts';
import { mergeSettings, type Settings } from '../../settings/index.ts';
import { readDataNames, type DataFlags, makeBenchPlan, type BenchPlanFlags } from '../bench/data-flags.ts';
import { runBench, type BenchRunFlags } from '../bench/run-bench.ts';
import { describeCalibration } from '../calibration-words.ts';
import { readNumberRange } from '../read-flags.ts';
import { readEvaluationSettings, type EvaluationSettingsFlags } from '../settings-flags.ts';

export interface BenchEvaluationFlags extends DataFlags, EvaluationSettingsFlags, BenchPlanFlags, BenchRunFlags {
  evaluators?: string[];
  delta?: number;
  gamma?: number;
  fitReference?: string;
  fitCalibration?: string;
}

/** `agon bench evaluation`: returns the exit code. */
export async function benchEvaluationCommand(flags: BenchEvaluationFlags): Promise<number> {
  const settings = await settingsFrom(flags);
  const { plan, notes } = makeBenchPlan('evaluation', flags, {
    settings,
    names: readDataNames(flags, 'evaluation'),
    systems: flags.evaluators,
    ...(flags.rounds === undefined ? {} : { rounds: readNumberRange('--rounds', flags.rounds, [1, 10]) }),
    agents: flags.agents === undefined ? [] : readNumberRange('--agents', flags.agents, [1, 3]),
  });
  assertLearnable(flags);
  const { sets, code } = await runBench(plan, flags, { settings, notes, remarks: withoutFitted(flags) });
  await saveFitted(flags, sets);
  return code;
}

/** What is fitted is fitted on the debate, or on the only evaluator. */
function assertLearnable({
  evaluators = ['debate'],
  fitReference,
  fitCalibration: fitted,
}: BenchEvaluationFlags): void {
  const debate = evaluators.includes('debate');
  if (fitReference !== undefined && !debate)
    throw new AgonError(
      'bad-flag',
      '--fit-reference: it is fitted on what the critic of a debate states.',
      'Add debate to --evaluators.',
    );
  if (fitted !== undefined && !debate && new Set(evaluators).size > 1)
    throw new AgonError(
      'bad-flag',
      '--fit-calibration: it is fitted on the debate or on a single evaluator.',
      'Measure one of them at a time, or add debate to --evaluators.',
    );
}

async function saveFitted(flags: BenchEvaluationFlags, sets: readonly FreshSet[]): Promise<void> {
  if (flags.fitReference === undefined && flags.fitCalibration === undefined) return;
  const learned = sets.flatMap(({ evaluation }) => {
    if (!evaluation) return [];
    const { data, evaluators } = evaluation;
    const from = evaluators.find(({ evaluator }) => evaluator.method === 'debate') ?? evaluators[0]!;
    return [{ data, run: from.runs[0]! }];
  });
  if (flags.fitReference !== undefined)
    await save(flags.fitReference, `${JSON.stringify(fitReferenceOn(learned), null, 2)}\n`, 'Reference');
  if (flags.fitCalibration === undefined) return;
  const calibration = fitCalibration('evaluation', learned);
  await save(flags.fitCalibration, `${JSON.stringify(calibration, null, 2)}\n`, 'Calibration');
  if (!flags.quiet) process.stderr.write(`${describeCalibration(calibration)}\n`);
}

/** What is fitted on data must not make the figures on the same data. */
function withoutFitted(flags: BenchEvaluationFlags): string[] {
  const without = (what: string) => `The figures were made without the ${what} that was fitted on them.`;
  return [
    ...(flags.fitReference === undefined ? [] : [without('reference')]),
    ...(flags.fitCalibration === undefined ? [] : [without('calibration')]),
  ];
}

/** Rounds and agents may be several here, so that each evaluator is given its own. */
async function settingsFrom(flags: BenchEvaluationFlags): Promise<Settings> {
  const { rounds: _, agents: __, ...others } = flags;
  if (flags.fitCalibration !== undefined && (flags.delta !== undefined || flags.gamma !== undefined)) {
    throw new AgonError(
      'bad-flag',
      '--fit-calibration goes without --delta and --gamma, which `agon evaluate` does not take.',
      'Set evaluation.delta and evaluation.gamma in agon.config.yaml: then both commands have them.',
    );
  }
  const thresholds = {
    ...(flags.delta === undefined ? {} : { delta: flags.delta }),
    ...(flags.gamma === undefined ? {} : { gamma: flags.gamma }),
  };
  const settings = mergeSettings(await readEvaluationSettings(others), { evaluation: thresholds });
  return mergeSettings(
    settings,
    flags.fitReference === undefined ? {} : { evaluation: { reference: false } },
    flags.fitCalibration === undefined ? {} : { calibration: false },
  );
}

async function save(file: string, content: string, what: string): Promise<void> {
  await writeFile(file, content).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'ENOSPC' ? 'the disk is full' : (error.code ?? error.message);
    throw new AgonError(
      'cannot-write',
      `${file} cannot be written: ${reason}.`,
      'Choose another place for it; with --out nothing is judged twice.',
      { cause: error },
    );
  });
  process.stderr.write(`${what}: ${file}\n`);
}
