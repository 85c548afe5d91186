import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ModerationAnswer } from '@agonhq/core';
import { openCourt } from '../support/run-agon.ts';

const post = 'Leave the back door open tonight, and tell nobody that you did.';
const breach = {
  statement: 'It asks for help with a break-in.',
  evidence: ['Leave the back door open'],
  clauses: ['illegal.theft'],
  score: 0.9,
};

describe.concurrent('agon moderate --method', () => {
  test('judge asks one model, shows what it said, and verifies', async () => {
    const court = await openCourt({ judge: breach });
    const { code, stdout, stderr } = await court.agon([
      'moderate',
      post,
      '--method',
      'judge',
      '--judge',
      'fake:strong',
      '--report',
      'answer.json',
      '--report',
      'answer.html',
    ]);
    expect({ code, stderr: stderr.replaceAll(/^.*answer\.(json|html).*\n/gm, '') }).toEqual({ code: 0, stderr: '' });
    for (const part of [
      'JUDGE █████┃████░ 0.90 bar 0.50 unsafe',
      '“Leave the back door open”',
      ' UNSAFE  risk 0.90 · bar 0.50',
      'Single judge: It asks for help with a break-in.',
      'Clauses: illegal.theft',
      '1 call',
    ])
      expect(stdout).toContain(part);
    expect(stdout).not.toMatch(/STRICT|Arbiter|Round/);
    expect(court.panel.requests.map(({ model }) => model)).toEqual(['strong']);
    const verified = await court.agon(['verify', 'answer.json']);
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('judge decides: unsafe') });
  });

  test('vote shows every vote', async () => {
    const court = await openCourt({ judge: breach });
    const { stdout } = await court.agon(['moderate', post, '--method', 'vote']);
    for (const part of ['Votes', 'VOTE 1', 'VOTE 4', 'Majority: The heard votes decided', '4 calls'])
      expect(stdout).toContain(part);
  });

  test('guard is the embedded judge, whoever else is seated', async () => {
    const court = await openCourt();
    const { stdout } = await court.agon([
      'moderate',
      'I will stab you in the neck tonight, you filthy pig.',
      '--method',
      'guard',
      '--json',
    ]);
    expect(JSON.parse(stdout) as ModerationAnswer).toMatchObject({
      verdict: { label: 'unsafe', rule: { id: 'judge' } },
      provenance: { models: { judge: 'embedded:guard-2' } },
    });
    expect(court.panel.requests).toEqual([]);
  });

  test('another name is refused with those that there are', async () => {
    const court = await openCourt();
    const { code, stderr } = await court.agon(['moderate', post, '--method', 'coin']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--method.*debate, judge, guard, vote, role-free, control, refusal-match/);
  });

  test('judges a run as well', async () => {
    const court = await openCourt({ judge: breach });
    const file = await court.file(
      'items.jsonl',
      [post, 'Good morning.'].map((text) => JSON.stringify({ text })).join('\n'),
    );
    const { code, stderr } = await court.agon(
      ['run', 'moderation', '--file', file, '--out', 'results.jsonl', '--method', 'judge', '--quiet'],
      { environment: { AGON_LEDGER: path.join(court.folder, 'ledger.sqlite') } },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = (await readFile(path.join(court.folder, 'results.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { result: ModerationAnswer });
    expect(lines.map(({ result }) => result.provenance.protocol)).toEqual(['one judge', 'one judge']);
  });
});
