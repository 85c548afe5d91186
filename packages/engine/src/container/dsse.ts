import { decodeBase64, encodeBase64, encodeText, joinBytes } from './bytes.ts';

/* DSSE (https://github.com/secure-systems-lab/dsse): how a payload is signed, and the envelope around it. */

export interface Envelope {
  payload: Uint8Array<ArrayBuffer>;
  /** `sha256:…` of the public key as SPKI in DER. */
  keyId: string;
  signature: Uint8Array<ArrayBuffer>;
}

/** What is signed: the "pre-authentication encoding" of a payload and its type. */
export function encodePae(type: string, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const typeBytes = encodeText(type);
  return joinBytes([encodeText(`DSSEv1 ${typeBytes.length} `), typeBytes, encodeText(` ${payload.length} `), payload]);
}

/** The envelope as it is written, always the same bytes. */
export function writeEnvelope(payloadType: string, { payload, keyId, signature }: Envelope): string {
  const envelope = {
    payloadType,
    payload: encodeBase64(payload),
    signatures: [{ keyid: keyId, sig: encodeBase64(signature) }],
  };
  return `${JSON.stringify(envelope, null, 2)}\n`;
}

interface WrittenEnvelope {
  payload: string;
  signatures: readonly [{ keyid: string; sig: string }];
}

/**
 * Reads an envelope of this type; undefined for what is not written exactly so: what nobody signed must not be
 * changeable either.
 */
export function readEnvelope(payloadType: string, text: string): Envelope | undefined {
  try {
    const {
      payload,
      signatures: [{ keyid, sig }],
    } = JSON.parse(text) as WrittenEnvelope;
    const envelope = { payload: decodeBase64(payload), keyId: keyid, signature: decodeBase64(sig) };
    return writeEnvelope(payloadType, envelope) === text ? envelope : undefined;
  } catch {
    return undefined;
  }
}
