import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { agonHome } from '@agonhq/engine/agon-home';

let unsaved: string | undefined;

/**
 * The secret behind the fences around untrusted content: AGON_SECRET, or a file made on first use. Where nothing can
 * be written it lives as long as the process, and only caches across processes are lost.
 */
export async function installationSecret(environment: Record<string, string | undefined>): Promise<string> {
  if (environment['AGON_SECRET']) return environment['AGON_SECRET'];
  const file = locateSecret(environment);
  try {
    return await existingSecret(file);
  } catch {
    return await newSecret(file);
  }
}

/** The secret in its file, for a backup; null where there is none of its own. */
export async function findInstallationSecret(environment: Record<string, string | undefined>): Promise<string | null> {
  return existingSecret(locateSecret(environment)).catch(() => null);
}

/** Puts the secret of a backup in its place, unless there is one. */
export async function installSecret(environment: Record<string, string | undefined>, secret: string): Promise<void> {
  const file = locateSecret(environment);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, secret, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
}

function locateSecret(environment: Record<string, string | undefined>): string {
  return path.join(agonHome(environment), 'secret');
}

/** The same where machines share a ledger on a server: then it is the ledger's, unless AGON_SECRET names one. */
export async function sharedSecret(
  ledger: { readSecret(): Promise<string | undefined> },
  environment: Record<string, string | undefined>,
): Promise<string> {
  return environment['AGON_SECRET'] || ((await ledger.readSecret()) ?? (await installationSecret(environment)));
}

async function newSecret(file: string): Promise<string> {
  const secret = randomBytes(32).toString('hex');
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(file, secret, { flag: 'wx', mode: 0o600 });
    return secret;
  } catch (error) {
    const madeMeanwhile = (error as NodeJS.ErrnoException).code === 'EEXIST';
    if (madeMeanwhile) return existingSecret(file).catch(() => (unsaved ??= secret));
    return (unsaved ??= secret);
  }
}

async function existingSecret(file: string): Promise<string> {
  const secret = (await readFile(file, 'utf8')).trim();
  if (secret.length < 32) throw new Error('cut short');
  return secret;
}
