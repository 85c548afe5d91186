import { readFile } from 'node:fs/promises';
import { readCalibration, type FittedCalibration } from '@agonhq/engine/debate';
import { AgonError, type Hint } from '@agonhq/engine/agon-error';
import type { Jobs } from '@agonhq/judges/job';

/** The calibration in a file, or one line that says why there is none. */
export async function loadCalibration(jobs: Jobs, file: string): Promise<FittedCalibration> {
  const commands = jobs
    .listBlocks()
    .flatMap(({ id, calibratedWith }) =>
      calibratedWith === undefined ? [] : [`for ${id} with \`${calibratedWith}\``],
    );
  return readCalibration(await textOf(file, 'calibration', `Write one ${commands.join(', ')}.`), file);
}

async function textOf(file: string, what: 'calibration', hint: Hint): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason =
      { ENOENT: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'permission denied' }[error.code ?? ''] ??
      error.message;
    throw new AgonError(`unreadable-${what}`, `The ${what} ${file} cannot be read: ${reason}.`, hint, { cause: error });
  });
}
