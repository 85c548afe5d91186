import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openInBrowser, waitUntilStopped } from './serve.ts';

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

/** What hears signals last: others in this process are not to hear of one. */
const heardBy = () => process.listeners('SIGTERM').at(-1) as () => void;

test('the first signal drains a server, and the second stops it at once', async () => {
  const listening = process.listenerCount('SIGTERM');
  const asked: string[] = [];
  const lines: string[] = [];
  const draining = Promise.withResolvers<void>();
  const stopped = waitUntilStopped(
    {
      drain: () => (asked.push('drain'), draining.promise),
      close: async () => void asked.push('close'),
    },
    ({ event }) => lines.push(event),
  );
  const signal = heardBy();
  signal();
  await pause(1);
  expect([asked, lines]).toEqual([['drain'], ['draining']]);
  signal();
  await stopped;
  expect([asked, lines]).toEqual([
    ['drain', 'close'],
    ['draining', 'stopped'],
  ]);
  expect(process.listenerCount('SIGTERM')).toBe(listening);
});

test('a server that has drained has stopped', async () => {
  const asked: string[] = [];
  const stopped = waitUntilStopped(
    { drain: async () => void asked.push('drain'), close: async () => void asked.push('close') },
    () => undefined,
  );
  const signal = heardBy();
  signal();
  await stopped;
  expect(asked).toEqual(['drain']);
});
