import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Ledger, ProvedLeaf } from '../index.ts';
import { readCheckpoint } from './checkpoint.ts';
import { makeCheckpoint, type CheckpointOptions } from './make-checkpoint.ts';

export const proofFormat = 'agon-inclusion-proof/1';

const hex = z.string().regex(/^(?:[0-9a-f]{2})+$/);
const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** A proof that what was written about a case is in the trees of a ledger, as a file. */
export const proofSchema = z.strictObject({
  format: z.literal(proofFormat),
  case: z.string(),
  ledger: z.string(),
  /** The envelope of the checkpoint, byte for byte. */
  checkpoint: z.string(),
  /** The public key that signed it, as PEM. Whether it is the issuer's, another source must say. */
  publicKey: z.string(),
  records: z
    .array(
      z.strictObject({
        leaf: z.strictObject({
          version: z.int(),
          kind: z.string(),
          record: z.string(),
          part: z.string(),
          writtenAt: z.iso.datetime(),
          commitment: hash,
        }),
        month: z.string().regex(/^\d{4}-\d\d$/),
        position: z.int().min(0),
        path: z.array(hash),
        /** Null where the record was written over or forgotten since, and in a redacted proof. */
        opening: z.strictObject({ salt: hex, content: z.string() }).nullable(),
      }),
    )
    .min(1),
});
export type InclusionProof = z.infer<typeof proofSchema>;

export interface ProveOptions extends CheckpointOptions {
  /** Of the installation, earlier ones too: the last checkpoint may be older than the key that signs now. */
  publicKeys: readonly { id: string; pem: string }[];
  /** Leaves out what the records say: who decided what, and why. */
  redact?: boolean;
}

/** Proves that a case is on record: by the last checkpoint, or by a new one where that does not hold all of it yet. */
export async function proveCase(
  ledger: Pick<Ledger, 'records'>,
  { id, subject }: { id: string; subject: string },
  { publicKeys, redact = false, ...options }: ProveOptions,
): Promise<InclusionProof> {
  await ledger.records.enterCase(id);
  const made = await makeCheckpoint(ledger, options);
  const read = made && readCheckpoint(made.envelope, new Map());
  if (!read)
    throw new AgonError('unreadable-checkpoint', 'The last checkpoint is damaged.', 'See `agon ledger audit`.');
  const { checkpoint, keyId } = read;
  const records = await ledger.records.prove([id, subject], checkpoint.trees);
  const publicKey = publicKeys.find((key) => key.id === keyId)?.pem;
  if (publicKey === undefined)
    throw new AgonError(
      'unreadable-checkpoint',
      `The last checkpoint was signed with ${keyId.slice(0, 19)}…, whose public key is not here.`,
      'Name the key of that installation with AGON_SIGNING_KEY.',
    );
  return {
    format: proofFormat,
    case: id,
    ledger: checkpoint.ledger,
    checkpoint: made.envelope,
    publicKey,
    records: records.map((proved) => describeProved(proved, redact)),
  };
}

function describeProved({ leaf, month, position, path, opening }: ProvedLeaf, redact: boolean) {
  return { leaf, month, position, path: [...path], opening: redact ? null : opening };
}
