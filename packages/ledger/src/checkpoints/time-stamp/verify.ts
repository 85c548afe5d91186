import { hash, verify, X509Certificate } from 'node:crypto';
import { readObjectId, readTime, readDerValue, readValues, tags, type DerValue } from './der.ts';

/* Reads what an authority answered (RFC 3161) and checks all that needs no list of whom to trust. */

const ids = {
  signedData: '1.2.840.113549.1.7.2',
  timeStampInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  sha256: '2.16.840.1.101.3.4.2.1',
  timeStamping: '1.3.6.1.5.5.7.3.8',
} as const;

/** Hashes that authorities sign with. */
const digests: Record<string, string> = {
  [ids.sha256]: 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

export interface TimeStamp {
  at: Date;
  /** Of the certificate that it was signed with. Whether to trust it is not said. */
  authority: string;
}

/**
 * Checks that a response is a time stamp of these bytes, and was signed with the certificate in it, which is one for
 * time stamps. Throws with what is wrong. Who issued the certificate is for `openssl ts -verify` with a file of
 * authorities.
 */
export function verifyTimeStamp(response: Uint8Array, stamped: Uint8Array, nonce?: Uint8Array): TimeStamp {
  const [status, token] = readValues(readDerValue(response, tags.sequence).content);
  const granted = readValues(status!.content)[0];
  const code = granted?.content.at(-1);
  if (code !== 0 && code !== 1) throw new Error(`the authority refused it (status ${code ?? 'missing'})`);
  if (!token) throw new Error('it holds no time stamp');
  const signed = readSignedData(token);
  const info = readInfo(signed.content);
  if (Buffer.compare(info.imprint, hash('sha256', stamped, 'buffer')) !== 0)
    throw new Error('it is the time stamp of something else');
  if (nonce && (!info.nonce || Buffer.compare(trim(info.nonce), trim(nonce)) !== 0))
    throw new Error('it answers another request');
  const signer = signed.certificates.find((certificate) => isSignedBy(certificate, signed));
  if (!signer) throw new Error('its signature does not hold');
  if (!signer.keyUsage?.includes(ids.timeStamping))
    throw new Error('it was signed with a certificate that is not for time stamps');
  return { at: info.at, authority: signer.subject.split('\n').join(', ') };
}

interface SignedData {
  /** The DER of the TSTInfo. */
  content: Uint8Array;
  certificates: X509Certificate[];
  digest: string;
  /** As they are signed: a SET. */
  attributes: Uint8Array;
  signature: Uint8Array;
}

function readSignedData(token: DerValue): SignedData {
  const [type, wrapped] = readValues(token.content);
  if (readObjectId(type!) !== ids.signedData) throw new Error('it is not signed data');
  const members = readValues(readDerValue(wrapped!.content, tags.sequence).content);
  const [, , encapsulated, ...rest] = members;
  const [contentType, octets] = readValues(encapsulated!.content);
  if (readObjectId(contentType!) !== ids.timeStampInfo) throw new Error('what was signed is no time stamp');
  const content = readDerValue(octets!.content, tags.octetString).content;
  const certificates = rest.find(({ tag }) => tag === tags.context0);
  const signers = readValues(rest.findLast(({ tag }) => tag === tags.set)?.content ?? new Uint8Array());
  if (signers.length !== 1) throw new Error('it must have one signer');
  const [, , algorithm, attributes, , signature] = readValues(signers[0]!.content);
  if (attributes?.tag !== tags.context0 || signature?.tag !== tags.octetString)
    throw new Error('its signer is not described as RFC 5652 has it');
  const digest = digests[readObjectId(readValues(algorithm!.content)[0]!)];
  if (!digest) throw new Error('it is signed with a hash that is not accepted');
  checkAttributes(attributes, content, digest);
  return {
    content,
    certificates: certificates ? readValues(certificates.content).map(({ bytes }) => new X509Certificate(bytes)) : [],
    digest,
    attributes: Buffer.concat([Uint8Array.of(tags.set), attributes.bytes.subarray(1)]),
    signature: signature.content,
  };
}

function checkAttributes({ content }: DerValue, signed: Uint8Array, digest: string): void {
  const found = new Map(
    readValues(content).map((attribute) => {
      const [id, values] = readValues(attribute.content);
      return [readObjectId(id!), readDerValue(values!.content)];
    }),
  );
  const type = found.get(ids.contentType);
  const hashed = found.get(ids.messageDigest);
  if (!type || readObjectId(type) !== ids.timeStampInfo) throw new Error('its signature is of something else');
  if (!hashed || Buffer.compare(hashed.content, hash(digest, signed, 'buffer')) !== 0)
    throw new Error('what it says is not what was signed');
}

function isSignedBy({ publicKey }: X509Certificate, { digest, attributes, signature }: SignedData): boolean {
  const isEdwards = publicKey.asymmetricKeyType === 'ed25519' || publicKey.asymmetricKeyType === 'ed448';
  try {
    return verify(isEdwards ? null : digest, attributes, publicKey, signature);
  } catch {
    return false;
  }
}

function readInfo(content: Uint8Array): { imprint: Uint8Array; at: Date; nonce: Uint8Array | null } {
  const [, , imprint, , time, ...rest] = readValues(readDerValue(content, tags.sequence).content);
  const [algorithm, hashed] = readValues(imprint!.content);
  if (readObjectId(readValues(algorithm!.content)[0]!) !== ids.sha256) throw new Error('it is not over a SHA-256');
  return {
    imprint: hashed!.content,
    at: readTime(time!),
    nonce: rest.find(({ tag }) => tag === tags.integer)?.content ?? null,
  };
}

/** A number without the zeros in front of it. */
function trim(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  return start === -1 ? new Uint8Array() : bytes.subarray(start);
}
