import { generateKeyPairSync, sign } from 'node:crypto';
import { readKeys } from '@agonhq/ledger/checkpoints';

/** Somebody who signs checkpoints, and the key to check them with. */
export function makeSigner() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keys = readKeys(publicKey.export({ type: 'spki', format: 'pem' }) as string);
  const [id] = keys.keys();
  return { signer: { id: id!, sign: (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, privateKey)) }, keys };
}
