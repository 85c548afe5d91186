import type { Check } from '@agonhq/engine/debate';
import { digest, readPublicKeys, verifySignature, type PublicKey } from './public-key.ts';
import { payloadType, publicKeyName, readBundleStatement, statementName, type Predicate } from './statement.ts';
import { encodePae, readEnvelope, readZip, type ZipEntry } from '@agonhq/engine/container';

/** A container whose checks came out right: its entries without the statement, and what that says. */
export interface OpenedContainer {
  checks: Check[];
  opened?: { entries: ZipEntry[]; predicate: Predicate };
}

/**
 * Checks that a container is as it was signed: to the byte, with nothing added, left out or changed. Without the
 * issuer's keys, it is checked with the key inside, and nobody knows whose that is.
 */
export async function checkContainer(bytes: Uint8Array, known?: readonly PublicKey[]): Promise<OpenedContainer> {
  const read = readZip(bytes);
  if ('problem' in read) return fail('container', read.problem);
  const { entries } = read;
  const container = ok('container', `${count(entries.length, 'entry', 'entries')}, the same when written anew`);

  const written = entries.find(({ name }) => name === statementName);
  if (!written) return fail('statement', `there is no ${statementName}`, container);
  const envelope = readEnvelope(payloadType, new TextDecoder().decode(written.bytes));
  if (!envelope) return fail('statement', `${statementName} is no DSSE envelope as Agon writes it`, container);
  const statement = readBundleStatement(envelope.payload);
  if (!statement) return fail('statement', 'the statement is none of an evidence bundle that is known', container);

  const others = entries.filter((entry) => entry !== written);
  const contents = await checkContents(others, statement.subject);
  const inside = await findInnerKey(others, envelope.keyId);
  if (!inside || statement.predicate.keyId !== envelope.keyId)
    return fail('signature', 'the bundle does not hold the key that it names', container, contents);
  const checks = [container, contents, ...(await checkSigner(envelope, inside, known))];
  const opened = { entries: others, predicate: statement.predicate };
  return checks.some(({ outcome }) => outcome === 'wrong') ? { checks } : { checks, opened };
}

/** Whether the entries are those that were signed: none more, none less, none changed. */
async function checkContents(
  entries: readonly ZipEntry[],
  listed: readonly { name: string; digest: { sha256: string } }[],
): Promise<Check> {
  const expected = new Map(listed.map(({ name, digest: { sha256 } }) => [name, `sha256:${sha256}`]));
  const digests = await Promise.all(entries.map(({ bytes }) => digest(bytes)));
  for (const [index, { name }] of entries.entries()) {
    if (!expected.has(name)) return wrong('contents', `${name} was added after it was signed`);
    if (digests[index] !== expected.get(name)) return wrong('contents', `${name} is not what was signed`);
  }
  const held = new Set(entries.map(({ name }) => name));
  const missing = listed.find(({ name }) => !held.has(name));
  if (missing || expected.size !== listed.length)
    return wrong('contents', missing ? `${missing.name} was left out after it was signed` : 'an entry is listed twice');
  return ok('contents', `${count(entries.length, 'file has', 'files have')} the SHA-256 that was signed`);
}

async function findInnerKey(entries: readonly ZipEntry[], id: string): Promise<PublicKey | undefined> {
  const pem = entries.find(({ name }) => name === publicKeyName);
  if (!pem) return undefined;
  const keys = await readPublicKeys(new TextDecoder().decode(pem.bytes));
  return keys.length === 1 && keys[0]!.id === id ? keys[0] : undefined;
}

async function checkSigner(
  { payload, signature, keyId }: NonNullable<ReturnType<typeof readEnvelope>>,
  inside: PublicKey,
  known: readonly PublicKey[] | undefined,
): Promise<Check[]> {
  const right = await verifySignature(inside, signature, encodePae(payloadType, payload));
  if (right === undefined)
    return [notChecked('signature', 'this browser does not know Ed25519: use a newer one, or agon verify')];
  if (!right) return [wrong('signature', 'the signature does not fit: the statement was changed, or never signed')];
  const signed = ok('signature', `Ed25519 by the key ${keyId}`);
  if (!known)
    return [
      signed,
      notChecked(
        'signer',
        'the key came with the bundle: nothing was changed since it was signed, but who signed it is not known; get ' +
          'the issuer’s public key and pass it',
      ),
    ];
  return known.some(({ id }) => id === keyId)
    ? [signed, ok('signer', 'the key is the issuer’s that was given')]
    : [signed, wrong('signer', `signed with another key than ${known.map(({ id }) => id).join(', ') || 'none'}`)];
}

function fail(name: string, detail: string, ...before: Check[]): OpenedContainer {
  return { checks: [...before, wrong(name, detail)] };
}

export function ok(name: string, detail: string): Check {
  return { name, outcome: 'ok', detail };
}

export function wrong(name: string, detail: string): Check {
  return { name, outcome: 'wrong', detail };
}

export function notChecked(name: string, detail: string): Check {
  return { name, outcome: 'not-checked', detail };
}

export function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}
