import { createCipheriv, createDecipheriv, randomBytes, scrypt, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { AgonError } from '@agonhq/engine/agon-error';
import { secretsSchema, type SealedSecrets, type Secrets } from './format.ts';

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt);
/** About a quarter of a second, and 64 MiB. */
const work = { cost: 2 ** 16, blockSize: 8, parallelization: 1 };
const keyBytes = 32;

/** The private parts of an installation as they stand in a backup; without a passphrase as they are. */
export async function sealSecrets(secrets: Secrets, passphrase: string | null): Promise<SealedSecrets> {
  const text = JSON.stringify(secrets);
  if (passphrase === null) return { how: 'plain', secrets: text };
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(passphrase, salt, work), iv);
  const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return {
    how: 'passphrase',
    kdf: 'scrypt',
    ...work,
    salt: salt.toString('base64'),
    cipher: 'aes-256-gcm',
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
}

/** Opens them; a wrong passphrase and altered bytes are the same to the cipher. */
export async function openSecrets(sealed: SealedSecrets, passphrase: string | null): Promise<Secrets> {
  if (sealed.how === 'plain') return readSecrets(sealed.secrets);
  if (passphrase === null)
    throw new AgonError(
      'wrong-passphrase',
      'The signing key in the backup is encrypted, and there is no passphrase.',
      'Set AGON_BACKUP_PASSPHRASE, or name a file that holds it with --passphrase-file.',
    );
  const [salt, iv, tag, data] = [sealed.salt, sealed.iv, sealed.tag, sealed.data].map((text) =>
    Buffer.from(text, 'base64'),
  ) as [Buffer, Buffer, Buffer, Buffer];
  try {
    const decipher = createDecipheriv('aes-256-gcm', await deriveKey(passphrase, salt, sealed), iv, {
      authTagLength: 16,
    });
    decipher.setAuthTag(tag);
    return readSecrets(Buffer.concat([decipher.update(data), decipher.final()]).toString('utf8'));
  } catch (error) {
    if (AgonError.is(error)) throw error;
    throw new AgonError(
      'wrong-passphrase',
      'The passphrase does not open the signing key in the backup.',
      'Nothing was restored. Try another passphrase, or restore the ledger without --with-key.',
      { cause: error },
    );
  }
}

function deriveKey(passphrase: string, salt: Uint8Array, { cost, blockSize, parallelization }: typeof work) {
  const maxmem = 256 * cost * blockSize;
  return derive(passphrase.normalize('NFKC'), salt, keyBytes, { N: cost, r: blockSize, p: parallelization, maxmem });
}

function readSecrets(text: string): Secrets {
  const { data } = secretsSchema.safeParse(JSON.parse(text));
  if (data) return data;
  throw new AgonError('broken-backup', 'The signing key in the backup cannot be read.', 'Use another backup.');
}
