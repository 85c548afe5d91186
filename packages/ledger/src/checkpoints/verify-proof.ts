import { createPublicKey } from 'node:crypto';
import type { Check } from '@agonhq/engine/debate';
import { sha256 } from '@agonhq/engine/hash';
import { commitTo, hashDescribedLeaf, verifyInclusion } from '../index.ts';
import { readCheckpoint, type Checkpoint } from './checkpoint.ts';
import { parseEnvelopeJson, readKeys, type PublicKeys } from './envelope.ts';
import { proofSchema, type InclusionProof } from './prove-case.ts';

export interface ProofReport {
  holds: boolean;
  checks: Check[];
  case: string;
  /** What is proved, in the order in which it was written. */
  records: { kind: string; part: string; writtenAt: string; content: unknown }[];
}

export interface VerifyProofOptions {
  /** Of the issuer, from elsewhere; undefined where nobody handed them over. */
  keys?: PublicKeys | undefined;
  /** An answer that is said to be the one on record. */
  answer?: { name: string; text: string } | undefined;
}

/** A proof as a file has it; undefined for what is none. */
export function readProof(text: string): InclusionProof | undefined {
  return proofSchema.safeParse(parseEnvelopeJson(text)).data;
}

/** Checks a proof offline: the signature of the checkpoint, the way of each record to it, and what they commit to. */
export function verifyProof(proof: InclusionProof, { keys, answer }: VerifyProofOptions = {}): ProofReport {
  const { checks, checkpoint } = checkSignature(proof, keys);
  if (checkpoint) checks.push(checkPaths(proof, checkpoint), checkContents(proof));
  if (checkpoint && answer) checks.push(checkAnswer(proof, answer));
  return {
    holds: checks.every(({ outcome }) => outcome !== 'wrong'),
    checks,
    case: proof.case,
    records: proof.records.map(({ leaf, opening }) => ({
      kind: leaf.kind,
      part: leaf.part,
      writtenAt: leaf.writtenAt,
      content: opening && parseEnvelopeJson(opening.content),
    })),
  };
}

function checkSignature(
  proof: InclusionProof,
  keys: PublicKeys | undefined,
): { checks: Check[]; checkpoint: Checkpoint | undefined } {
  const wrong = (detail: string) => ({
    checks: [{ name: 'checkpoint', outcome: 'wrong' as const, detail }],
    checkpoint: undefined,
  });
  let inside: PublicKeys;
  try {
    inside = readKeys(createPublicKey(proof.publicKey).export({ type: 'spki', format: 'pem' }) as string);
  } catch {
    return wrong('the public key in the proof cannot be read');
  }
  const read = readCheckpoint(proof.checkpoint, new Map([...inside, ...(keys ?? [])]));
  if (!read) return wrong('it is damaged');
  if (read.signature !== 'valid')
    return wrong(read.signature === 'wrong' ? 'its signature does not hold' : 'it was signed with another key');
  const { number, madeAt, ledger } = read.checkpoint;
  if (ledger !== proof.ledger) return wrong('it is of another ledger');
  const signer: Check = !keys
    ? { name: 'signer', outcome: 'not-checked', detail: `${read.keyId}: compare it with the issuer's, or pass --key` }
    : keys.has(read.keyId)
      ? { name: 'signer', outcome: 'ok', detail: `${read.keyId.slice(0, 19)}… is a key that was given` }
      : { name: 'signer', outcome: 'wrong', detail: `${read.keyId.slice(0, 19)}… is none of the keys that were given` };
  const detail = `${number} of ${madeAt}, signed`;
  return { checks: [{ name: 'checkpoint', outcome: 'ok', detail }, signer], checkpoint: read.checkpoint };
}

function checkPaths(proof: InclusionProof, { trees }: Checkpoint): Check {
  const broken = proof.records.filter(({ leaf, month, position, path }) => {
    const tree = trees.find((one) => one.month === month);
    const steps = path.map((step) => Buffer.from(step, 'hex'));
    return (
      !tree || !verifyInclusion(hashDescribedLeaf(leaf), position, tree.size, steps, Buffer.from(tree.root, 'hex'))
    );
  });
  const strange = proof.records.filter(({ leaf }) => !isAbout(proof, leaf.record));
  if (strange.length > 0)
    return { name: 'records', outcome: 'wrong', detail: `${strange.length} of them are about something else` };
  if (!proof.records.some(({ leaf }) => leaf.kind === 'case' && leaf.record === proof.case))
    return { name: 'records', outcome: 'wrong', detail: `none of them is the opening of ${proof.case}` };
  const all = proof.records.length;
  return broken.length === 0
    ? { name: 'records', outcome: 'ok', detail: `all ${all} are in the trees that the checkpoint vouches for` }
    : {
        name: 'records',
        outcome: 'wrong',
        detail: `${broken.length} of ${all} are not in the trees of the checkpoint`,
      };
}

/** About the case, or about the content that it judged, as far as the proof says which that is. */
function isAbout(proof: InclusionProof, record: string): boolean {
  if (record === proof.case) return true;
  const opened = proof.records.find(({ leaf, opening }) => leaf.kind === 'case' && opening !== null);
  const named = opened && (parseEnvelopeJson(opened.opening!.content) as { subject?: unknown }).subject;
  return named === undefined
    ? proof.records.some(({ leaf }) => leaf.kind === 'subject' && leaf.record === record)
    : named === record;
}

function checkContents({ records }: InclusionProof): Check {
  const opened = records.filter(({ opening }) => opening !== null);
  const wrong = opened.filter(
    ({ leaf, opening }) =>
      Buffer.from(commitTo(Buffer.from(opening!.salt, 'hex'), opening!.content)).toString('hex') !== leaf.commitment,
  );
  if (wrong.length > 0)
    return {
      name: 'contents',
      outcome: 'wrong',
      detail: `${wrong.length} of ${opened.length} are not what was entered`,
    };
  const rest = records.length - opened.length;
  const hidden = rest === 0 ? '' : `; ${rest} are not shown, were written over or forgotten`;
  return opened.length === 0
    ? { name: 'contents', outcome: 'not-checked', detail: `none is shown${hidden}` }
    : { name: 'contents', outcome: 'ok', detail: `${opened.length} are what was entered${hidden}` };
}

/** An answer enters by the hash of its JSON. */
function checkAnswer({ records }: InclusionProof, { name, text }: { name: string; text: string }): Check {
  const value = parseEnvelopeJson(text);
  const found = value === undefined ? null : sha256(JSON.stringify(value));
  const entered = records
    .filter(({ leaf, opening }) => leaf.kind === 'answer' && opening !== null)
    .map(({ opening }) => (parseEnvelopeJson(opening!.content) as { answer?: unknown }).answer);
  if (entered.length === 0) return { name, outcome: 'not-checked', detail: 'the proof shows no answer that stands' };
  return entered.includes(found)
    ? { name, outcome: 'ok', detail: 'it is the answer on record, to the letter' }
    : { name, outcome: 'wrong', detail: 'it is not the answer on record' };
}
