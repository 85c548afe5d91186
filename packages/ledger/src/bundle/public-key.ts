import { decodeBase64, encodeHex } from '@agonhq/engine/container';

/** A key that bundles are checked with: Ed25519, as SPKI. */
export interface PublicKey {
  /** `sha256:…` of its DER. */
  id: string;
  der: Uint8Array<ArrayBuffer>;
}

const block = /-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----/g;

/** The public keys of a PEM file: after a rotation there are several. */
export async function readPublicKeys(pem: string): Promise<PublicKey[]> {
  return Promise.all(
    [...pem.matchAll(block)].map(async ([, body]) => {
      const der = decodeBase64(body!.replaceAll(/\s/g, ''));
      return { id: await digest(der), der };
    }),
  );
}

/** Node's own hashing; a browser has none, and the page that checks there names no module of Node. */
const node = (
  globalThis as { process?: { getBuiltinModule?(id: string): { hash(algorithm: string, bytes: Uint8Array): string } } }
).process?.getBuiltinModule?.('crypto');

/** `sha256:…` of bytes: by Node at once, as WebCrypto makes a task of each; by that in a browser. */
export async function digest(bytes: Uint8Array): Promise<string> {
  if (node) return `sha256:${node.hash('sha256', bytes)}`;
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- a browser's types are narrower than Node's
  const hashed = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return `sha256:${encodeHex(new Uint8Array(hashed))}`;
}

/** Whether the owner of this key has signed these bytes; undefined where this browser does not know the algorithm. */
export async function verifySignature(
  { der }: PublicKey,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean | undefined> {
  try {
    const key = await crypto.subtle.importKey('spki', der, 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, signature, signed);
  } catch (error) {
    if (error instanceof Error && error.name === 'NotSupportedError') return undefined;
    return false;
  }
}
