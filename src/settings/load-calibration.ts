import { readFile } from 'node:fs/promises';
import { readCalibration, type FittedCalibration } from '../debate/index.ts';
import { AgonError } from '../errors.ts';

/** The calibration in a file, or one line that says why there is none. */
export async function loadCalibration(file: string): Promise<FittedCalibration> {
  const json = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const reason = { ENOENT: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'permission denied' }[error.code ?? ''] ?? error.message;
    throw new AgonError('unreadable-calibration', `The calibration ${file} cannot be read: ${reason}.`, 'Write one with `agon calibrate --data FILE --out calibration.json`.', { cause: error });
  });
  return readCalibration(json, file);
}
