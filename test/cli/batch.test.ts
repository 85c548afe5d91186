import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { ModerationAnswer } from '@agonhq/core';
import type { ResultRecord } from '@agonhq/core/runs';
import { openCourt, type Court } from '../support/run-agon.ts';
async function recordsIn(court: Court, name = 'out.jsonl'): Promise<ResultRecord[]> {
  const text = await readFile(await court.file(name), 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ResultRecord);
}

const batch = ['moderate', '--file', 'items.jsonl', '--out', 'out.jsonl'];

describe.concurrent('agon moderate --file', () => {
  test('judges every line in order, reports the bad ones by number, and goes on with the rest', async () => {
    const court = await openCourt();
    await court.file(
      'items.jsonl',
      '\uFEFF{"id":"a","text":"One"}\r\n\r\n{"id":"b","text":\n{"id":"c","text":"   "}\n{"id":"d","text":"half ' +
        '\\ud83d pair"}\n{"id":"e","image":"../e.png"}\n{"id":"f","text":"Six"}',
    );
    const { code, stdout, stderr } = await court.agon([...batch, '--concurrency', '4']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const records = await recordsIn(court);
    expect(records.map(({ line, error }) => `${line} ${error?.code ?? 'judged'}`)).toEqual([
      '1 judged',
      '3 broken-line',
      '4 empty-subject',
      '5 ill-formed-text',
      '6 path-outside-root',
      '7 judged',
    ]);
    expect((records[0]!.result as ModerationAnswer).subject.id).toBe('a');
    for (const line of [3, 4, 5, 6]) expect(stderr).toMatch(new RegExp(`^agon: line ${line}: .+ \\([a-z-]+\\)$`, 'm'));
    expect(stderr).toMatch(/^2 judged in [\d.]+ s: 2 safe, 0 unsafe, 0 undecided · 4 failed · \$[\d.]+\n$/m);
  });

  test('exits with 3 when --fail-on names a verdict that came up', async () => {
    const court = await openCourt({
      arbiter: { risk: { why: 'Risk.', evidence: ['number 2'], holds: true, clauses: ['fraud'] }, score: 0.9 },
    });
    await court.file('items.jsonl', `{"text":"This is number 2"}\n`);
    expect((await court.agon([...batch, '-q', '--fail-on', 'unsafe'])).code).toBe(3);
  });
});
