import { createHmac } from 'node:crypto';
import { sha256 } from '@agonhq/engine/hash';
import type { Ledger } from '../index.ts';
import { version } from '@agonhq/engine/version';
import { collectEvidence, type AnsweredCase } from './collect-case.ts';
import { writePart, type BundlePart } from './parts.ts';
import { writeBundleReadme } from './readme.ts';
import { hideCaseId, redactParts, type MakeSalt, type RedactedOpening } from './redact.ts';
import type { SigningKey } from './signing-key.ts';
import { payloadType, makeBundleStatement, publicKeyName, statementName, type Predicate } from './statement.ts';
import { encodePae, encodeText, writeEnvelope, writeZip } from '@agonhq/engine/container';

export interface BundleOptions {
  key: SigningKey;
  /** Leaves out what reveals the content; the salts follow from this secret, so that an opening can be made again. */
  redactWith?: string;
}

/** A bundle of one case, and what opens it where it was redacted. */
export interface CaseBundle {
  /** What it calls the case. */
  id: string;
  bytes: Uint8Array<ArrayBuffer>;
  opening: RedactedOpening | null;
}

/**
 * The evidence bundle of a case that was judged: the same records and the same key make the same bytes.
 *
 * @example const { bytes } = await bundleCase(ledger, record, { key: await openSigningKey(process.env) })
 */
export async function bundleCase(
  ledger: Ledger,
  record: AnsweredCase,
  { key, redactWith }: BundleOptions,
): Promise<CaseBundle> {
  const { id, job, asOf, leftOut, ...collected } = await collectEvidence(ledger, record);
  const redacted = redactWith === undefined ? null : await redactParts(id, collected.parts, saltsFrom(redactWith));
  const named = await nameCase(id, redactWith);
  const predicate: Predicate = {
    ...({ format: 1, kind: 'case', case: named, job } as const),
    ...describeMaking(key, { asOf, redacted: redacted !== null, leftOut }),
  };
  const parts = [...(redacted?.parts ?? collected.parts), writeBundleReadme(predicate)];
  return { id: named, bytes: sealParts(parts, predicate, key), opening: redacted?.opening ?? null };
}

/** What a bundle calls a case: by its id, or where it is redacted by a commitment to that. */
export async function nameCase(id: string, redactWith: string | undefined): Promise<string> {
  return redactWith === undefined ? id : hideCaseId(id, saltsFrom(redactWith));
}

/** What the file of a bundle is called. */
export function nameBundle(id: string): string {
  return `${id.replace(/^sha256:(.{16}).*$/, 'redacted-$1')}.agon.zip`;
}

/** What the statement of every bundle says of its making. */
export function describeMaking(
  { id }: SigningKey,
  { asOf, redacted, leftOut }: Pick<Predicate, 'asOf' | 'redacted' | 'leftOut'>,
): Pick<Predicate, 'asOf' | 'madeBy' | 'keyId' | 'redacted' | 'leftOut'> {
  return { asOf, madeBy: { agon: version }, keyId: id, redacted, leftOut };
}

function sealParts(parts: readonly BundlePart[], predicate: Predicate, key: SigningKey): Uint8Array<ArrayBuffer> {
  const entries = [
    ...parts.map((part) => ({ name: part.name, bytes: writePart(part) })),
    { name: publicKeyName, bytes: encodeText(key.publicKey) },
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const digests = new Map(entries.map(({ name, bytes }) => [name, sha256(bytes)]));
  return writeZip([...entries, { name: statementName, bytes: signStatement(digests, predicate, key) }]);
}

/** The signed statement about entries, by name and hash. */
export function signStatement(
  digests: ReadonlyMap<string, string>,
  predicate: Predicate,
  key: SigningKey,
): Uint8Array<ArrayBuffer> {
  const payload = encodeText(JSON.stringify(makeBundleStatement(digests, predicate)));
  const signature = key.sign(encodePae(payloadType, payload));
  return encodeText(writeEnvelope(payloadType, { payload, keyId: key.id, signature }));
}

/** Salts that only this installation can make, and can make again. */
function saltsFrom(secret: string): MakeSalt {
  return (id, place) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['agon-redaction', id, place]))
      .digest();
}
