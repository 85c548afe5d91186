import { z } from 'zod';
import { encodeHex } from '@agonhq/engine/container';
import { canonicalJson, sha256 } from '@agonhq/engine/hash';
import { computeRootOf, hashLeaf, type RecordsState, type TreeHead } from '../index.ts';
import { openEnvelope, parseEnvelopeJson, sealEnvelope, type PublicKeys, type Signer } from './envelope.ts';

const payloadType = 'application/vnd.agon.ledger-checkpoint+json';
const format = 'agon-ledger-checkpoint/1';

const checkpointSchema = z.strictObject({
  format: z.literal(format),
  /** The ledger that it is of. */
  ledger: z.string(),
  number: z.int().min(1),
  madeAt: z.iso.datetime(),
  /** How far each tree has got. */
  trees: z.array(
    z.strictObject({
      month: z.string().regex(/^\d{4}-\d\d$/),
      size: z.int().min(1),
      root: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
  /** Over all trees. */
  root: z.string(),
  /** `sha256:…` of the payload of the checkpoint before; null in the first. */
  previous: z.string().nullable(),
});

/** What a ledger held at a moment, in few bytes: whoever keeps it notices when that is rewritten. */
export type Checkpoint = z.output<typeof checkpointSchema>;

export interface ReadCheckpoint {
  checkpoint: Checkpoint;
  /** `sha256:…` of what was signed; the next one names it. */
  hash: string;
  keyId: string;
  signature: 'valid' | 'wrong' | 'unknown-key';
}

/** The next checkpoint of a ledger, signed; null where nothing was written since the last one. */
export function writeCheckpoint(state: RecordsState, now: Date, signer: Signer): string | null {
  const trees = state.trees.map(({ month, size, root }) => ({ month, size, root }));
  const last = state.last && readCheckpoint(state.last.envelope, new Map());
  if (trees.length === 0 || (last && canonicalJson(last.checkpoint.trees) === canonicalJson(trees))) return null;
  const checkpoint: Checkpoint = {
    format,
    ledger: state.ledger,
    number: (state.last?.number ?? 0) + 1,
    madeAt: now.toISOString(),
    trees,
    root: computeTreesRoot(trees),
    previous: last?.hash ?? null,
  };
  return sealEnvelope(payloadType, canonicalJson(checkpoint), signer);
}

/** Undefined for what is no checkpoint. */
export function readCheckpoint(envelope: string, keys: PublicKeys): ReadCheckpoint | undefined {
  const opened = openEnvelope(payloadType, envelope, keys);
  const { data: checkpoint } = checkpointSchema.safeParse(opened && parseEnvelopeJson(opened.payload));
  if (!opened || !checkpoint || checkpoint.root !== computeTreesRoot(checkpoint.trees)) return undefined;
  return { checkpoint, hash: sha256(opened.payload), keyId: opened.keyId, signature: opened.signature };
}

function computeTreesRoot(trees: readonly TreeHead[]): string {
  const leaves = trees.map((tree) => hashLeaf(Buffer.from(canonicalJson(tree))));
  return encodeHex(computeRootOf(leaves));
}
