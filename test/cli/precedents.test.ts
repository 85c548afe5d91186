import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { agon, oneLine } from '../support/run-agon.ts';

let folder: string;
const line = (given: object) =>
  `${JSON.stringify({ id: 'house-1', label: 'safe', summary: 'A player boasts.', why: 'A figure of speech.', text: 'We will bury them on Saturday, no mercy.', category: 'violence', ...given })}\n`;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-precedents-'));
});

const precedents = (args: readonly string[], stdin?: string) =>
  agon(['precedents', ...args, '--ledger', 'ledger.sqlite'], {
    cwd: folder,
    ...(stdin === undefined ? {} : { stdin }),
  });

describe('agon precedents', () => {
  test('imports, finds, shows, retires and exports', async () => {
    expect(
      (
        await precedents(
          ['import', '-'],
          line({}) + line({ id: 'house-2', text: 'We will bury them on Saturday: no mercy!' }),
        )
      ).stdout,
    ).toContain('Imported 1; 0 already existed, 1 duplicated another');
    const found = await precedents(['search', 'On Saturday we bury the other team', '--limit', '3', '--json']);
    expect(JSON.parse(found.stdout)).toMatchObject({
      precedents: [{ id: 'house-1', label: 'safe' }],
      library: { size: 959, problem: null },
    });
    expect((await precedents(['show', 'house-1'])).stdout).toContain('Why: A figure of speech.');

    expect((await precedents(['retire', 'house-1', '--why', 'too broad'])).stdout).toBe('Retired house-1: too broad\n');
    expect((await precedents(['retire', 'seed-0001', '--why', 'not ours'])).code).toBe(0);
    const again = await precedents(['search', 'On Saturday we bury the other team', '--json']);
    expect(again.stdout).not.toContain('house-1');
    expect(JSON.parse(again.stdout)).toMatchObject({ library: { size: 957 } });
    const { stdout: retired } = await precedents(['list', '--state', 'retired']);
    expect(
      retired
        .trim()
        .split('\n')
        .map((row) => row.split(' ')[0]),
    ).toEqual(['house-1', 'seed-0001', '2']);

    expect((await precedents(['export', '--out', 'all.jsonl'])).code).toBe(0);
    const exported = (await readFile(path.join(folder, 'all.jsonl'), 'utf8')).trim().split('\n');
    expect(exported).toHaveLength(959);
    const other = await agon(['precedents', 'import', 'all.jsonl', '--ledger', 'other.sqlite'], { cwd: folder });
    expect(other.stdout).toContain('Imported 1; 958 already existed');
  }, 180_000);

  test('a bad line is named in one line, and nothing is written', async () => {
    await writeFile(
      path.join(folder, 'bad.jsonl'),
      line({ id: 'house-8', text: 'Something new.' }) + line({ id: 'house-9', label: 'perhaps' }),
    );
    const { code, stderr } = await precedents(['import', 'bad.jsonl']);
    expect(code).toBe(1);
    expect(stderr).toMatch(oneLine);
    expect(stderr).toMatch(
      /^agon: Line 2 of bad\.jsonl is no precedent: label: .*Nothing was imported\. \(bad-precedent\)/,
    );
    expect((await precedents(['show', 'house-8'])).stderr).toContain('no-such-precedent');
  });
});
