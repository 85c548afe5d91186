import { writeFile } from 'node:fs/promises';
import {
  fitCalibration,
  openModerationContenders,
  openResults,
  readContentData,
  type LabelledContent,
  type LabelledData,
  type SystemRun,
} from '../../bench/index.ts';
import { AgonError } from '../../errors.ts';
import { readContentOptions, readDataSettings, type ContentDataFlags } from '../bench/data-flags.ts';
import { datasetNameOf } from '../../runs/index.ts';
import { describeCalibration } from '../calibration-words.ts';
import { measureSystem } from '../bench/watch-bench.ts';
import { exitCodes } from '../print-error.ts';

export interface CalibrateFlags extends ContentDataFlags {
  out?: string;
  results?: string;
}

/** `agon calibrate`: returns the exit code. */
export async function calibrateCommand(flags: CalibrateFlags): Promise<number> {
  const reading = readContentOptions(flags);
  const sets = await Promise.all(flags.data.map((file) => readContentData(file, reading)));
  const settings = { ...(await readDataSettings(flags)), calibration: false as const };
  const { contenders, close } = await openModerationContenders(undefined, settings, {
    repeats: 1,
    rounds: [],
    agents: [],
    datasets: flags.data.map(datasetNameOf),
    shots: async () => [],
  });
  const system = contenders[0]!.repeats[0]!;
  const results = await openResults(flags.results);
  const runs: { data: LabelledData<LabelledContent>; run: SystemRun<LabelledContent> }[] = [];
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
  else await write(flags.out, json);
  if (!flags.quiet) process.stderr.write(`${describeCalibration(calibration)}\n`);
  return exitCodes.judged;
}

async function write(file: string, json: string): Promise<void> {
  await writeFile(file, json).catch((error: NodeJS.ErrnoException) => {
    throw new AgonError(
      'cannot-write',
      `${file} cannot be written: ${error.code ?? error.message}.`,
      'Give another --out.',
      { cause: error },
    );
  });
}
