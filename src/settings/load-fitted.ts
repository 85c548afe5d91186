import { readFile } from 'node:fs/promises';
import { fittedWith, readCalibration, type FittedCalibration } from '../debate/index.ts';
import { AgonError, type Hint } from '../errors.ts';

/** The calibration in a file, or one line that says why there is none. */
export async function loadCalibration(file: string): Promise<FittedCalibration> {
  return readCalibration(
    await textOf(
      file,
      'calibration',
      `Write one with \`${fittedWith.moderation}\`, or for evaluation with \`${fittedWith.evaluation}\`.`,
    ),
    file,
  );
}

async function textOf(file: string, what: 'calibration', hint: Hint): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason =
      { ENOENT: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'permission denied' }[error.code ?? ''] ??
      error.message;
    throw new AgonError(`unreadable-${what}`, `The ${what} ${file} cannot be read: ${reason}.`, hint, { cause: error });
  });
}
