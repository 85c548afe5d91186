import { readFile, mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { findTurns, type ModerationAnswer } from '@agonhq/core';
import { sha256 } from '@agonhq/engine/hash';
import { makeHomeWithLlama } from '../support/llama.ts';
import { agon } from '../support/run-agon.ts';
import { slowTest } from '../support/slow.ts';
import { writeTinyModel } from '../support/tiny-gguf.ts';

const threat = 'I know where you live, and tonight I will come and kill you.';

let folder: string;
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-local-'));
  await writeTinyModel(path.join(folder, 'tiny.gguf'));
  const home = await makeHomeWithLlama();
  environment = {
    AGON_HOME: home,
    AGON_LOCAL_THREADS: '1',
    AGON_LOCAL_GPU: 'off',
    AGON_LOCAL_MAX_OUTPUT_TOKENS: '200',
  };
}, 300_000);

test('a file in every seat holds the debate, and what was cut is in the answer and in the terminal', async () => {
  const args = ['moderate', threat, '--model', 'local:tiny.gguf'];
  const { stdout } = await agon([...args, '--json'], { cwd: folder, environment });
  const { transcript, verdict } = JSON.parse(stdout) as ModerationAnswer;
  expect(findTurns(transcript).every(({ fallback }) => fallback === undefined)).toBe(true);
  expect(verdict.degraded).toContainEqual(expect.objectContaining({ kind: 'cut-prompt', at: 'arbiter' }));
  const shown = await agon(args, { cwd: folder, environment });
  expect(shown.stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /Degraded: cut-prompt at .*the prompt was cut to a context of 2048/,
  );
}, 180_000);

slowTest(
  'the doctor says where it is, and with --try how fast',
  async () => {
    const own = { ...environment, AGON_MODEL: `local:${path.join(folder, 'tiny.gguf')}` };
    const there = await agon(['doctor'], { cwd: folder, environment: own });
    expect(there.stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /\? model every seat: local:\S+ is there \(0 MB\), but was not loaded/,
    );
    const { stdout } = await agon(['doctor', '--try'], { cwd: folder, environment: own });
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /✓ model .* context of 2,048 tokens, no GPU, 1 thread; loads in [\d.]+ s, reads [\d.,]+ and writes [\d.,]+/,
    );
  },
  180_000,
);

test('a model is added from the hub, listed, found by its name and removed', async () => {
  const content = await readFile(path.join(folder, 'tiny.gguf'));
  const hub = createServer((request, response) => {
    if (request.url !== '/someone/tiny/resolve/main/small.gguf') return void response.writeHead(404).end();
    const hash = sha256(content).slice('sha256:'.length);
    response.writeHead(200, { 'x-linked-etag': `"${hash}"`, 'content-length': content.length });
    response.end(request.method === 'HEAD' ? undefined : content);
  });
  await new Promise<void>((resolve) => hub.listen(0, '127.0.0.1', resolve));
  const own = { ...environment, HF_ENDPOINT: `http://127.0.0.1:${(hub.address() as AddressInfo).port}` };
  try {
    const run = (...args: string[]) => agon(args, { cwd: folder, environment: own });
    const absent = await run('moderate', threat, '--model', 'local:small');
    expect(absent).toMatchObject({ code: 1, stderr: expect.stringMatching(/No language model "small" was added\./) });
    const added = await run('models', 'add', 'hf:someone/tiny/small.gguf', '--quiet');
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.stdout).toMatch(/^Added small: .*small\.gguf\nUse it with --model local:small\n$/);
    expect((await run('models')).stdout).toMatch(/✓ local:small +a language model for any seat/);
    const missing = await run('models', 'add', 'hf:someone/tiny/large.gguf');
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/There is no large\.gguf at revision main/),
    });
    expect((await run('models', 'remove', 'local:small')).stdout).toBe('Removed local:small.\n');
    expect((await run('models')).stdout).not.toContain('local:small');
  } finally {
    hub.closeAllConnections();
    await new Promise((resolve) => hub.close(resolve));
  }
}, 120_000);
