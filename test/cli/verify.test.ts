import { beforeAll, describe, expect, test } from 'vitest';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAgon, type ModerationAnswer } from '@agonhq/core';
import { panelSettings, startFakePanel } from '../support/fake-panel.ts';
import { agon, oneLine } from '../support/run-agon.ts';

const post = 'Buy guns here, no papers needed.';
let folder: string;
let answer: ModerationAnswer;
let json: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-verify-'));
  const panel = await startFakePanel({
    arbiter: { risk: { why: 'A sale.', evidence: ['no papers'], holds: true, clauses: ['weapons'] }, score: 0.9 },
  });
  const court = await createAgon(panelSettings(panel), { environment: {}, secret: 'test' });
  answer = await court.moderate(post);
  json = JSON.stringify(answer);
  await Promise.all([court.close(), panel.close()]);
});

async function verify(content: string, ...flags: string[]) {
  await writeFile(path.join(folder, 'post.txt'), `${post}\n`);
  return agon(['verify', '-', ...flags], { cwd: folder, stdin: content });
}

describe.concurrent('agon verify', () => {
  test('finds that a good answer holds, with its source and offline', async () => {
    const { code, stdout, stderr } = await verify(json, '--source', 'post.txt');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/✓ seal {8,}sha256:/);
    expect(stdout).toContain('risk-confirmation decides: unsafe');
    expect(stdout).toMatch(/The answer is valid\.\n$/);
  });

  test('reads what --json and --report answer.json write', async () => {
    const pretty = path.join(folder, 'answer.json');
    await writeFile(pretty, `${JSON.stringify(answer, null, 2)}\n`);
    expect((await agon(['verify', pretty])).code).toBe(0);
  });

  test.each<[string, (text: string) => string, RegExp]>([
    ['label', (text) => text.replace('"label":"unsafe"', '"label":"safe"'), /✗ rules/],
    ['quote', (text) => text.replaceAll('"quote":"no papers","source"', '"quote":"no taxes","source"'), /✗ quotations/],
    ['text', (text) => text.replace('here, no papers', 'there, no papers'), /✗ subject/],
    ['rule', (text) => text.replace('{"id":"risk-confirmation"', '{"id":"default-safety"'), /✗ rules/],
    ['seal', (text) => text.replace(/"seal":"sha256:\w{4}/, '"seal":"sha256:0000'), /✗ seal/],
  ])('finds a tampered %s', async (_name, tamper, says) => {
    const tampered = tamper(json);
    expect(tampered).not.toBe(json);
    const { code, stdout } = await verify(tampered);
    expect(code).toBe(1);
    expect(stdout).toMatch(says);
    expect(stdout).toMatch(/The answer is not valid\.\n$/);
  });

  test('holds the source against the answer', async () => {
    await writeFile(path.join(folder, 'other.txt'), 'Something else.');
    const { code, stdout } = await verify(json, '--source', 'other.txt');
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ source/);
  });

  test('under another policy says which one the answer was made under', async () => {
    const policy = await readFile(path.join(import.meta.dirname, '..', '..', 'policies', 'default.yaml'), 'utf8');
    await writeFile(path.join(folder, 'other.yaml'), policy.replace(/^version: .*$/m, 'version: "99"'));
    const { code, stdout } = await verify(json, '--policy', 'other.yaml');
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`– clauses +made under .+${answer.provenance.policy.hash}.+--policy`));
  });

  test('prints the checks as JSON', async () => {
    const { stdout } = await verify(json, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      id: answer.id,
      holds: true,
      checks: expect.arrayContaining([{ name: 'quotations', outcome: 'ok', detail: expect.any(String) }]),
    });
  });

  test.each([
    ['no JSON', 'Dear Sir,'],
    ['another JSON', '{"hello":1}'],
    ['a version to come', '{"version":99}'],
    ['nothing', ''],
    ['no text', Buffer.from([0xff, 0xfe, 0x00]).toString('latin1')],
  ])('refuses what is no answer in one line: %s', async (_name, content) => {
    const { code, stdout, stderr } = await verify(content);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(oneLine);
  });
});
