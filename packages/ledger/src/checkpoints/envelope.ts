import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { encodePae, readEnvelope, writeEnvelope } from '@agonhq/engine/container';
import { sha256 } from '@agonhq/engine/hash';

/** Who signs: its id is `sha256:…` of the public key as SPKI in DER. */
export interface Signer {
  id: string;
  sign(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
}

/** Public keys by their ids. */
export type PublicKeys = ReadonlyMap<string, KeyObject>;

export interface OpenedEnvelope {
  payload: string;
  keyId: string;
  signature: 'valid' | 'wrong' | 'unknown-key';
}

export function sealEnvelope(type: string, payload: string, { id, sign }: Signer): string {
  const bytes = new TextEncoder().encode(payload);
  return writeEnvelope(type, { payload: bytes, keyId: id, signature: sign(encodePae(type, bytes)) });
}

/** Undefined for what is no envelope of this type. */
export function openEnvelope(type: string, text: string, keys: PublicKeys): OpenedEnvelope | undefined {
  const read = readEnvelope(type, text);
  if (!read) return undefined;
  const key = keys.get(read.keyId);
  const holds = key !== undefined && verify(null, encodePae(type, read.payload), key, read.signature);
  return {
    payload: Buffer.from(read.payload).toString('utf8'),
    keyId: read.keyId,
    signature: key === undefined ? 'unknown-key' : holds ? 'valid' : 'wrong',
  };
}

export function parseEnvelopeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const block = /-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----/g;

/** The public keys of PEM files; after a rotation there are several in one. */
export function readKeys(pem: string): PublicKeys {
  return new Map(
    [...pem.matchAll(block)].map(([text]) => {
      const key = createPublicKey(text);
      return [sha256(key.export({ type: 'spki', format: 'der' })), key];
    }),
  );
}
