import path from 'node:path';
import { AgonError } from '../errors.ts';
import type { Ledger } from '../ledger/index.ts';
import { lockOutput } from './results/output-lock.ts';

/**
 * One learns at a time on a machine, so that nobody pays twice for the same lesson; across machines the library
 * itself sees to it that none is learnt twice. Returns what lets others go on; `home` is the installation's folder.
 */
export async function lockLearning(
  { kind, place }: Pick<Ledger, 'kind' | 'place'>,
  home: string,
): Promise<() => Promise<void>> {
  try {
    return await lockOutput(kind === 'sqlite' ? `${place}.learning` : path.join(home, 'learning'));
  } catch (error) {
    if (!AgonError.is(error) || error.code !== 'output-in-use') throw error;
    throw new AgonError(
      'learning-runs',
      'Somebody learns from these cases already.',
      'Wait until that has ended: what it learns need not be learnt again.',
      { cause: error },
    );
  }
}
