import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newHome, serve } from '../support/served.ts';
import { agon } from '../support/run-agon.ts';
/** Each of these starts several processes. */
const patience = { timeout: 120_000 };

interface Shown {
  id: string;
  name: string;
  scopes: string[];
  reviewer: string | null;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  key?: string;
}

/** The keys of an installation of its own. */
async function installation(home?: string) {
  const place = home ?? (await mkdtemp(path.join(tmpdir(), 'agon-keys-')));
  const keys = (args: readonly string[]) =>
    agon(['keys', ...args], {
      cwd: place,
      environment: { AGON_HOME: place, AGON_LEDGER: path.join(place, 'ledger.sqlite') },
    });
  return {
    home: place,
    keys,
    listed: async () =>
      (await keys(['list', '--json'])).stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Shown),
  };
}

test('a key of the command line opens the server, and closes it again when it is revoked', patience, async () => {
  const { home, keys } = await installation(await newHome());
  const key = (await keys(['create', '--name', 'ci', '--scope', 'read'])).stdout.trim();
  const { url } = await serve(['--auth', 'required'], { home });
  const status = async () => (await fetch(`${url}/api/self`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await status()).toBe(200);
  expect((await fetch(`${url}/api/self`)).status).toBe(401);
  await keys(['revoke', key.slice(5, 17)]);
  await expect.poll(status, { timeout: 5_000 }).toBe(401);
});

test('a server for other machines does not start without a key', patience, async () => {
  const { home, keys } = await installation(await newHome());
  await expect(serve(['--host', '0.0.0.0'], { home })).rejects.toThrow(
    /there is no key\. Create one: agon keys create .+ \(no-api-key\)/,
  );
  await keys(['create', '--name', 'admin', '--scope', 'admin']);
  expect((await serve(['--host', '0.0.0.0'], { home })).url).toMatch(/:\d+$/);
});
