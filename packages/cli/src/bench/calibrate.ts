import type { Command } from 'commander';
import type { LabelledContent, LabelledData, SafetyRun } from '@agonhq/bench';
import type { FittedCalibration } from '@agonhq/engine/debate';
import { moderationJob } from '@agonhq/judges/moderation';
import { addExamples, setAction, addContentDataFlags } from '../define-command.ts';
import { saveFile } from '../files.ts';
import { addSettingsFlags } from '../settings-flags.ts';
import type { ContentDataFlags } from './plan-bench.ts';

interface CalibrateFlags extends ContentDataFlags {
  out?: string;
  results?: string;
}

/** `agon calibrate` */
export function defineCalibrate(command: Command): void {
  command.description(
    'Fit, on labelled data, how the scores of a configuration turn into probabilities, and which probabilities call ' +
      'for human review.',
  );
  addContentDataFlags(command)
    .option('--out <calibration.json>', 'write the calibration here (default: standard output)')
    .option(
      '--ledger <file>',
      'use the precedents of this ledger, except those of the data itself; nothing is written to it',
    )
    .option('--results <results.jsonl>', 'write every judgement here; an interrupted fit resumes from this file');
  addSettingsFlags(command, { kind: 'bench', job: moderationJob });
  addExamples(command, [
    'agon calibrate --data items.jsonl --out calibration.json',
    'agon moderate "…" --calibration calibration.json',
  ]);
  setAction(command, calibrate);
}

async function calibrate(flags: CalibrateFlags): Promise<void> {
  const { fitCalibration, moderationBench, openSafetyResults, readDataset } = await import('@agonhq/bench');
  const { nameDataset } = await import('@agonhq/core/runs');
  const { readContentOptions, readDataSettings } = await import('./plan-bench.ts');
  const { measureSystem } = await import('./watch-bench.ts');
  const reading = readContentOptions(flags);
  const sets = await Promise.all(flags.data.map((file) => readDataset(moderationBench, file, reading)));
  const settings = { ...(await readDataSettings(flags)), calibration: false as const };
  const { systems, close } = await moderationBench.openSystems(undefined, settings, {
    repeats: 1,
    rounds: [],
    agents: [],
    datasets: flags.data.map(nameDataset),
    root: '.',
    drawExamples: async () => [],
  });
  const system = systems[0]!.repeats[0]!;
  const results = await openSafetyResults(flags.results);
  const runs: { data: LabelledData<LabelledContent>; run: SafetyRun<LabelledContent> }[] = [];
  try {
    for (const data of sets) {
      runs.push({
        data,
        run: await measureSystem(system, data, {
          concurrency: flags.concurrency,
          quiet: flags.quiet,
          results,
          kept: flags.results !== undefined,
        }),
      });
    }
  } finally {
    await results.close();
    await close();
  }
  const calibration = fitCalibration('moderation', runs);
  const json = `${JSON.stringify(calibration, null, 2)}\n`;
  if (flags.out === undefined) process.stdout.write(json);
  else await saveFile(flags.out, json, 'Choose another file with --out.');
  if (!flags.quiet) process.stderr.write(`${describeCalibration(calibration)}\n`);
}

/** A fit in one line. */
export function describeCalibration({ items, method, metrics, band }: FittedCalibration): string {
  const { before, after } = metrics;
  const doubt =
    band === null
      ? 'no probability calls for review'
      : `probabilities from ${band[0].toFixed(2)} to ${band[1].toFixed(2)} call for review`;
  return (
    `Fitted on ${items} items (${method}): calibration error ${before.ece!.toFixed(3)} → ` +
    `${after.ece!.toFixed(3)}, Brier ${before.brier!.toFixed(3)} → ${after.brier!.toFixed(3)} by ` +
    `cross-validation; ${doubt}.`
  );
}
