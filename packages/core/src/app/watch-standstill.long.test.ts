import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { until } from '@agonhq/test/support/until.ts';

/* What stands still cannot say so, and cannot end itself: another process does. */

const script = fileURLToPath(new URL('../../../../test/support/standing-server.ts', import.meta.url));
const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

async function start(limits: object) {
  const child = spawn(process.execPath, ['--no-warnings', script, JSON.stringify(limits)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', (line) => said.push(line));
  await until(() => said.length > 0);
  const ask = async (path = '/') =>
    fetch(`http://127.0.0.1:${said[0]}${path}`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(20_000),
    });
  return { child, said, ask };
}

test(
  'a server that stands still answers 503, and goes on by itself, as often as it happens',
  { timeout: 60_000 },
  async () => {
    const { said, ask } = await start({ answerMs: 1_000, endMs: 60_000 });
    for (const round of [1, 2]) {
      expect(await (await ask('/?stand=5000')).text()).toBe('here');
      const meanwhile = await ask();
      expect([meanwhile.status, meanwhile.headers.get('retry-after')]).toEqual([503, '2']);
      expect(await meanwhile.json()).toMatchObject({ status: 503, code: 'standing-still' });
      await until(() => said.length > round);
      expect(said.at(-1)).toMatch(/^stood \d{4,}$/);
      expect(await (await ask()).text()).toBe('here');
    }
  },
);

test('one that does not go on is ended, and its watch with it', { timeout: 60_000 }, async () => {
  const { child, said, ask } = await start({ answerMs: 500, endMs: 2_000 });
  await ask('/?stand=600000');
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  await until(() => said.some((line) => /^Agon stood still for \d+ s and was ended\.$/.test(line)));
  await until(() =>
    ask().then(
      () => false,
      () => true,
    ),
  );
});

test('one that is ended otherwise leaves nobody on its port', { timeout: 60_000 }, async () => {
  const { child, ask } = await start({ answerMs: 500, endMs: 2_000 });
  child.kill('SIGKILL');
  await until(() =>
    ask().then(
      () => false,
      () => true,
    ),
  );
});
