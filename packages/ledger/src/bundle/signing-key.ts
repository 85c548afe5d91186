import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { agonHome } from '@agonhq/engine/agon-home';
import { AgonError } from '@agonhq/engine/agon-error';
import { sha256 } from '@agonhq/engine/hash';

/** The key with which this installation signs: Ed25519. */
export interface SigningKey {
  /** `sha256:…` of the public key as SPKI in DER. */
  id: string;
  /** The public key as PEM. */
  publicKey: string;
  sign(bytes: Uint8Array): Uint8Array<ArrayBuffer>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The signing key of this installation: the file that AGON_SIGNING_KEY names, or `signing-key.pem` in AGON_HOME, which
 * is made on first use. Of two processes that make it at once, both get the same.
 */
export async function openSigningKey(environment: Environment): Promise<SigningKey> {
  const given = environment['AGON_SIGNING_KEY'];
  if (given) return readKey(given);
  const file = locateKey(environment);
  return (await findKey(file)) ?? (await createKey(environment));
}

/**
 * Replaces the signing key. The private part of the old one is gone; its public part is kept, and checks what is old.
 */
export async function rotateSigningKey(environment: Environment): Promise<SigningKey> {
  if (environment['AGON_SIGNING_KEY'])
    throw new AgonError(
      'foreign-signing-key',
      'AGON_SIGNING_KEY names the signing key: Agon did not make it.',
      'Replace that file, and keep its public key for older bundles.',
    );
  await openSigningKey(environment);
  const { key, pem } = makeKey();
  await writing(locateKey(environment), async () => {
    await keepPublicKey(environment, key);
    await rename(await writeAside(environment, pem), locateKey(environment));
  });
  return key;
}

/** The private key as PEM, for a backup: made where there is none. */
export async function readPrivateKey(environment: Environment): Promise<string> {
  await openSigningKey(environment);
  return readFile(environment['AGON_SIGNING_KEY'] || locateKey(environment), 'utf8');
}

/** Puts the key of a backup in its place. One that is there is never replaced. */
export async function installSigningKey(environment: Environment, pem: string, { dryRun = false } = {}): Promise<void> {
  const key = describeKey(createPrivateKey(pem));
  const given = environment['AGON_SIGNING_KEY'];
  const there = given ? await readKey(given) : await findKey(locateKey(environment));
  if (there && there.id !== key.id)
    throw new AgonError(
      'other-signing-key',
      `This installation signs with ${there.id.slice(0, 19)}…, the backup brings ${key.id.slice(0, 19)}…. ` +
        'Nothing was restored.',
      'Restore without --with-key, or with another AGON_HOME.',
    );
  if (there || dryRun) return;
  await writing(locateKey(environment), async () => {
    const aside = await writeAside(environment, pem);
    try {
      await link(aside, locateKey(environment));
    } finally {
      await rm(aside, { force: true });
    }
    await keepPublicKey(environment, key);
  });
}

const publicBlock = /-----BEGIN PUBLIC KEY-----[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----\n?/g;

/** Keeps public keys of earlier days or of another installation, by which what they signed is checked. */
export async function keepPublicKeys(environment: Environment, pems: string): Promise<void> {
  for (const [publicKey] of pems.matchAll(publicBlock))
    await keepPublicKey(environment, { id: hashPublicKey(createPublicKey(publicKey)), publicKey });
}

/** The public keys of this installation, the one that signs now first. */
export async function listPublicKeys(environment: Environment): Promise<{ id: string; pem: string; signs: boolean }[]> {
  const current = await openSigningKey(environment);
  const folder = path.join(agonHome(environment), publicFolder);
  const names = await readdir(folder).catch(() => []);
  const pems = await Promise.all(
    names
      .filter((name) => name.endsWith('.pem'))
      .toSorted()
      .map((name) => readFile(path.join(folder, name), 'utf8')),
  );
  const earlier = pems
    .map((pem) => ({ id: hashPublicKey(createPublicKey(pem)), pem, signs: false }))
    .filter(({ id }) => id !== current.id);
  return [{ id: current.id, pem: current.publicKey, signs: true }, ...earlier];
}

const publicFolder = 'public-keys';

function locateKey(environment: Environment): string {
  return path.join(agonHome(environment), 'signing-key.pem');
}

async function createKey(environment: Environment): Promise<SigningKey> {
  const file = locateKey(environment);
  const { key, pem } = makeKey();
  return writing(file, async () => {
    const aside = await writeAside(environment, pem);
    try {
      // Unlike a rename, it fails where somebody was faster; and unlike writing, nobody ever sees half a key.
      await link(aside, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      return readKey(file);
    } finally {
      await rm(aside, { force: true });
    }
    await keepPublicKey(environment, key);
    return key;
  });
}

async function writeAside(environment: Environment, pem: string): Promise<string> {
  const home = agonHome(environment);
  await mkdir(home, { recursive: true, mode: 0o700 });
  const aside = path.join(home, `signing-key.${randomUUID()}.part`);
  await writeFile(aside, pem, { flag: 'wx', mode: 0o600 });
  return aside;
}

async function keepPublicKey(
  environment: Environment,
  { id, publicKey }: Pick<SigningKey, 'id' | 'publicKey'>,
): Promise<void> {
  const folder = path.join(agonHome(environment), publicFolder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(path.join(folder, `${id.slice('sha256:'.length)}.pem`), publicKey);
}

function makeKey(): { key: SigningKey; pem: string } {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { key: describeKey(privateKey), pem: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string };
}

async function findKey(file: string): Promise<SigningKey | undefined> {
  return readKey(file).catch((error: unknown) => {
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return undefined;
    throw error;
  });
}

async function readKey(file: string): Promise<SigningKey> {
  try {
    const key = createPrivateKey(await readFile(file, 'utf8'));
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`it is of type ${key.asymmetricKeyType}, not Ed25519`);
    return describeKey(key);
  } catch (error) {
    throw new AgonError(
      'unreadable-signing-key',
      `The signing key ${file} cannot be read: ${(error as Error).message}.`,
      'It is a private Ed25519 key as PEM (PKCS #8). `agon signing-key rotate` makes a new one.',
      { cause: error },
    );
  }
}

function describeKey(privateKey: KeyObject): SigningKey {
  const publicKey = createPublicKey(privateKey);
  return {
    id: hashPublicKey(publicKey),
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    sign: (bytes) => new Uint8Array(sign(null, bytes, privateKey)),
  };
}

function hashPublicKey(key: KeyObject): string {
  return sha256(key.export({ type: 'spki', format: 'der' }));
}

async function writing<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (AgonError.is(error)) throw error;
    throw new AgonError(
      'cannot-write',
      `The signing key ${file} cannot be written: ${(error as Error).message}.`,
      'Set AGON_HOME to a folder that can be written, or name a key with AGON_SIGNING_KEY.',
      { cause: error },
    );
  }
}
