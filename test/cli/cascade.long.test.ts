import { existsSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Cascade, ExportedRecord, RunReport } from '@agonhq/core/runs';
import { mediaFile } from '../support/media.ts';
import { testWithPrograms } from '../support/programs.ts';
import { onRecord } from '../support/on-record.ts';
import { oneLine, openCourt } from '../support/run-agon.ts';

/*
 * How bounds are chosen is tested beside packages/core/src/runs/cascade; this is what the command line makes of them, with the guard
 * that ships.
 */

const callsPerItem = 6;
/** The guard judges a hundred items and more in each of these. */
const patience = { timeout: 240_000 };

const kind = (index: number) => ({
  text: `Thank you for the lovely walk in the garden on day ${index}.`,
  label: 'safe',
});
const threat = (index: number) => ({
  text: `I will kill you and your family with a knife on day ${index}.`,
  label: 'unsafe',
});
/** Every third is a threat. */
const item = (index: number) => (index % 3 === 0 ? threat(index) : kind(index));
const items = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ id: `l${from + index}`, ...item(from + index) }));
const lines = (values: readonly object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
/** The guard reads no such language, and leaves it to the debate. */
const foreign = {
  id: 'foreign',
  text: 'Это предложение написано по-русски, и его никто здесь не читает.',
  label: 'safe',
};

describe.concurrent('agon cascade fit', patience, () => {
  test(
    'writes bounds that a run then uses: what is clear calls nobody, the rest is debated, and the report says ' +
      'what that saved',
    async () => {
      const court = onRecord(await openCourt());
      await court.file('labelled.jsonl', lines(items(0, 150)));
      const fitted = await court.agon(['cascade', 'fit', '--data', 'labelled.jsonl', '--out', 'cascade.json', '-q']);
      expect(fitted).toMatchObject({ code: 0, stderr: '' });
      expect(fitted.stdout).toMatch(/^The guard decides 1\d\d of 150 items/);
      expect(fitted.stdout).toContain('Next: agon run moderation --file items.jsonl --cascade cascade.json\n');
      const cascade = JSON.parse(await readFile(await court.file('cascade.json'), 'utf8')) as Cascade;
      expect(cascade).toMatchObject({
        version: 1,
        job: 'moderation',
        risk: 0.05,
        confidence: 0.95,
        fitted: { items: 150, wrong: 0 },
      });
      expect(court.panel.requests).toEqual([]);

      await court.file('items.jsonl', lines([...items(150, 156), foreign]));
      const { code, stderr } = await court.agon([
        'run',
        'moderation',
        '--file',
        'items.jsonl',
        '--cascade',
        'cascade.json',
        '--name',
        'night',
        '--out',
        'out.jsonl',
      ]);
      expect(code).toBe(0);
      expect(court.panel.requests).toHaveLength(callsPerItem);
      expect(stderr).toMatch(/^6 decided by the guard/m);
      expect(stderr).toMatch(/^\$0\.\d{4}, 6 calls/m);
      const records = (await readFile(await court.file('out.jsonl'), 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as ExportedRecord);
      expect(records.map(({ decidedBy }) => decidedBy ?? 'debate')).toEqual([
        ...Array.from({ length: 6 }, () => 'guard'),
        'debate',
      ]);
      expect(await court.json<RunReport>(['runs', 'show', 'night'])).toMatchObject({
        cascade: {
          decided: 6,
          debated: 1,
          risk: { items: 6, wrong: 0 },
          bound: { risk: 0.05, confidence: 0.95 },
          // As many as the one that was debated took.
          saved: { calls: 6 * callsPerItem },
        },
      });
    },
  );

  test('says that no band exists, and how many items would do; nothing is written', async () => {
    const court = await openCourt();
    await court.file('few.jsonl', lines(items(0, 12)));
    const asked = await court.agon(['cascade', 'fit', '--data', 'few.jsonl', '--out', 'cascade.json', '-q']);
    expect(asked).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^No bounds exist: 12 labelled items are too few .* about 1\d\d would do\.$/m),
    });
    expect(existsSync(await court.file('cascade.json'))).toBe(false);
    await court.file('none.jsonl', lines(items(0, 2).map(({ text }) => ({ text }))));
    expect((await court.agon(['cascade', 'fit', '--data', 'none.jsonl', '-q'])).stdout).toMatch(
      /^No bounds exist: there is not one labelled item in it\.$/m,
    );
  });

  test('refuses what makes no sense in one line', async () => {
    const court = await openCourt();
    for (const flags of [
      ['--data', 'nowhere.jsonl'],
      ['--data', 'nowhere.jsonl', '--risk', '5'],
      ['--ledger', 'nowhere.sqlite'],
    ]) {
      expect(await court.agon(['cascade', 'fit', ...flags])).toMatchObject({
        code: expect.any(Number),
        stdout: '',
        stderr: expect.stringMatching(oneLine),
      });
    }
  });
});

describe.concurrent('agon run --cascade', patience, () => {
  test('fits on labelled data then and there, whatever the input itself is written in', async () => {
    const court = onRecord(await openCourt());
    await court.file('labelled.jsonl', lines(items(0, 150)));
    const stdin = 'id,text\na,Thank you for the lovely walk in the garden.\n';
    const { code, stderr } = await court.agon(
      ['run', 'moderation', '--file', '-', '--format', 'csv', '--cascade', 'labelled.jsonl', '--risk', '0.1'],
      { stdin },
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(/^1 decided by the guard/m);
    expect(court.panel.requests).toEqual([]);
  });

  testWithPrograms('leaves sound to whoever hears it; where nobody does, nobody decides', async () => {
    const court = onRecord(await openCourt());
    await court.file('labelled.jsonl', lines(items(0, 150)));
    await copyFile(mediaFile('good-morning.mp3'), await court.file('voice.mp3'));
    await court.file('items.jsonl', lines([{ id: 'sound', audio: 'voice.mp3' }]));
    const follow = ['--cascade', 'labelled.jsonl', '--transcription', 'none', '--out', 'out.jsonl'];
    await court.agon(['run', 'moderation', '--file', 'items.jsonl', ...follow]);
    const record = JSON.parse(await readFile(await court.file('out.jsonl'), 'utf8')) as ExportedRecord;
    expect(record).toMatchObject({ result: { verdict: { label: 'undecided', rule: { id: 'unseen' } } } });
    expect(record.decidedBy).toBeUndefined();
  });

  test('starts no run where no band exists, or where the bounds are for something else', async () => {
    const court = onRecord(await openCourt());
    await court.file('items.jsonl', lines(items(0, 12)));
    expect(
      await court.agon(['run', 'moderation', '--file', 'items.jsonl', '--cascade', 'items.jsonl', '-q']),
    ).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/No band .* about 1\d\d would do\. .*\(no-cascade\)\n$/),
    });
    expect(await court.agon(['run', 'moderation', '--file', 'items.jsonl', '--cascade', '-q'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/agon feedback.*\(no-cascade\)\n$/),
    });
    await court.file(
      'other.json',
      JSON.stringify({
        version: 1,
        job: 'evaluation',
        guard: 'sha256:0',
        safeUpTo: 0.1,
        unsafeFrom: 0.9,
        risk: 0.05,
        confidence: 0.95,
        fitted: {
          data: 'sha256:0',
          items: 200,
          decided: 150,
          wrong: 0,
          bound: 0.02,
          sides: { safe: { decided: 100, wrong: 0 }, unsafe: { decided: 50, wrong: 0 } },
        },
      }),
    );
    expect(
      await court.agon(['run', 'moderation', '--file', 'items.jsonl', '--cascade', 'other.json', '-q']),
    ).toMatchObject({ code: 1, stderr: expect.stringMatching(/\(cascade-mismatch\)\n$/) });
    expect((await court.agon(['runs', 'list'])).stdout).toContain('There are no runs yet');
  });
});
