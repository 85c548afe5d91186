import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openInBrowser } from './serve.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-browser-'));
  vi.stubEnv('PATH', folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

test.each(['xdg-open', 'open'])('hands the address to %s as it is', async (command) => {
  await writeFile(path.join(folder, command), `#!/bin/sh\nprintf '%s' "$*" > "${folder}/opened"\n`);
  await chmod(path.join(folder, command), 0o755);
  openInBrowser('http://127.0.0.1:4100/', command === 'open' ? 'darwin' : 'linux');
  await vi.waitFor(
    async () => expect(await readFile(path.join(folder, 'opened'), 'utf8')).toBe('http://127.0.0.1:4100/'),
    { timeout: 5_000 },
  );
});

test('where there is no browser nothing happens', async () => {
  expect(() => openInBrowser('http://127.0.0.1:4100/', 'linux')).not.toThrow();
  await pause(50);
});
