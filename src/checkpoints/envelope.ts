import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { sha256 } from '../hash.ts';

/* DSSE (https://github.com/secure-systems-lab/dsse): a payload, and who signed it. */

const payloadType = 'application/vnd.agon.ledger-checkpoint+json';

/** Who signs: its id is `sha256:…` of the public key as SPKI in DER. */
export interface Signer {
  id: string;
  sign(bytes: Uint8Array): Uint8Array;
}

/** Public keys by their ids. */
export type PublicKeys = ReadonlyMap<string, KeyObject>;

export interface OpenedEnvelope {
  payload: string;
  keyId: string;
  signature: 'valid' | 'wrong' | 'unknown-key';
}

/** What is signed: the "pre-authentication encoding" of a payload and its type. */
function encodePae(payload: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload]);
}

export function sealEnvelope(payload: string, { id, sign }: Signer): string {
  const bytes = Buffer.from(payload);
  const envelope = {
    payloadType,
    payload: bytes.toString('base64'),
    signatures: [{ keyid: id, sig: Buffer.from(sign(encodePae(bytes))).toString('base64') }],
  };
  return `${JSON.stringify(envelope, null, 2)}\n`;
}

const envelopeSchema = z.strictObject({
  payloadType: z.literal(payloadType),
  payload: z.base64(),
  signatures: z.tuple([z.strictObject({ keyid: z.string(), sig: z.base64() })]),
});

/** Undefined for what is no envelope of a checkpoint. */
export function openEnvelope(text: string, keys: PublicKeys): OpenedEnvelope | undefined {
  const { data } = envelopeSchema.safeParse(parseJson(text));
  if (!data) return undefined;
  const payload = Buffer.from(data.payload, 'base64');
  const [{ keyid, sig }] = data.signatures;
  const key = keys.get(keyid);
  const holds = key !== undefined && verify(null, encodePae(payload), key, Buffer.from(sig, 'base64'));
  return {
    payload: payload.toString('utf8'),
    keyId: keyid,
    signature: key === undefined ? 'unknown-key' : holds ? 'valid' : 'wrong',
  };
}

export function parseJson(text: string): unknown {
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
