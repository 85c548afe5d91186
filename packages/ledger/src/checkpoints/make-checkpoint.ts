import { AgonError } from '@agonhq/engine/agon-error';
import type { KeptCheckpoint, Records } from '../index.ts';
import { writeCheckpoint } from './checkpoint.ts';
import type { Signer } from './envelope.ts';
import { requestTimeStamp } from './time-stamp/request.ts';

export interface CheckpointOptions {
  signer: Signer;
  /** The address of a time stamping authority (RFC 3161). */
  authority?: string | undefined;
}

export interface MadeCheckpoint extends KeptCheckpoint {
  /** False where nothing was written since it was made. */
  isNew: boolean;
}

/**
 * Gives what was written its place, and makes a checkpoint of it; where there is nothing new, the last one stands. An
 * authority that does not answer is no reason to have none: the checkpoint says so, and the next time asks again. Null
 * where nothing was ever written.
 */
export async function makeCheckpoint(
  { records }: { records: Records },
  { signer, authority }: CheckpointOptions,
): Promise<MadeCheckpoint | null> {
  await records.sequence();
  const written = await records.keepCheckpoint((state, now) => writeCheckpoint(state, now, signer));
  const standing = written ?? (await records.readState()).last;
  if (!standing) return null;
  const stamp = authority !== undefined && standing.timeStamp === null ? await askFor(authority, standing) : null;
  if (stamp) await records.keepTimeStamp(standing.number, stamp);
  const made: MadeCheckpoint = { ...standing, isNew: written !== null };
  if (!stamp) return made;
  return 'token' in stamp
    ? { ...made, timeStamp: stamp.token, timeStampProblem: null }
    : { ...made, timeStampProblem: stamp.problem };
}

async function askFor(
  authority: string,
  { envelope }: KeptCheckpoint,
): Promise<{ token: Uint8Array } | { problem: string }> {
  try {
    return { token: await requestTimeStamp(authority, Buffer.from(envelope)) };
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    return { problem: error.message };
  }
}
