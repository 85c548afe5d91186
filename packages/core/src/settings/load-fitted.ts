import { readFile } from 'node:fs/promises';
import { readCalibration, type FittedCalibration } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Jobs } from '@agonhq/judges/job';
import { describeReason } from './settings-file.ts';

/** The calibration in a file, or one line that says why there is none. */
export async function loadCalibration(jobs: Jobs, file: string): Promise<FittedCalibration> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const commands = jobs
      .listBlocks()
      .flatMap(({ id, calibratedWith }) =>
        calibratedWith === undefined ? [] : [`for ${id} with \`${calibratedWith}\``],
      );
    throw new AgonError(
      'unreadable-calibration',
      `The calibration ${file} cannot be read: ${describeReason(error)}.`,
      `Write one ${commands.join(', ')}.`,
      { cause: error },
    );
  });
  return readCalibration(text, file);
}
