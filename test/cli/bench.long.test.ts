import { readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { ModerationReport } from '@agonhq/bench';
import { status, type FakeRequest } from '../fake-provider/index.ts';
import { panelReply, roleOf } from '../support/fake-panel.ts';
import { oneLine, openCourt, until } from '../support/run-agon.ts';

/** A panel that finds every knife, and is sure of it. */
const knives = (request: FakeRequest) => {
  const holds = request.prompt.includes('knife');
  const risk = { why: 'A knife.', evidence: holds ? ['knife'] : [], holds, clauses: holds ? ['weapons'] : [] };
  return panelReply({ arbiter: { risk, score: holds ? 0.9 : 0.1 } }, request);
};

/** Two in ten knives are for bread. */
const labelled = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const knife = index % 2 === 0;
    const wrong = index % 10 >= 8;
    return `${JSON.stringify({ id: `p${index}`, text: `Post ${index} with a ${knife ? 'knife' : 'spoon'}`, label: knife === wrong ? 'safe' : 'unsafe', category: knife ? 'knives' : 'spoons' })}\n`;
  }).join('');

describe.concurrent('agon bench moderation', () => {
  test('prints the figures in the shape that is fixed', async () => {
    const court = await openCourt(knives);
    await court.file('items.jsonl', labelled(10));
    const { code, stdout, stderr } = await court.agon(['bench', 'moderation', '--data', 'items.jsonl', '--json']);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^10 judged in [\d.]+ s: 5 safe, 5 unsafe, 0 undecided/);
    const report = JSON.parse(stdout) as ModerationReport;
    expect(report).toMatchObject({ version: 1, job: 'moderation', data: { file: 'items.jsonl', items: 10 } });
    expect(report.systems).toEqual([
      expect.objectContaining({
        name: 'full',
        metrics: {
          accuracy: 0.8,
          precision: 0.8,
          recall: 0.8,
          f1: 0.8,
          auc: 0.8,
          ece: expect.closeTo(0.1, 9),
          recallAt1PercentFpr: 0,
          undecided: 0,
          failed: 0,
        },
        usage: expect.objectContaining({ calls: 60, costUsd: expect.any(Number) }),
        categories: [
          expect.objectContaining({ category: 'knives', items: 5 }),
          expect.objectContaining({ category: 'spoons', items: 5 }),
        ],
      }),
    ]);
  });

  test('reads image files below the folder of the data, and an item whose file is not there is an error', async () => {
    const court = await openCourt(knives);
    const draw = async (word: string, file: string) => {
      const svg = `<svg width="600" height="200"><rect width="600" height="200" fill="white"/><text x="40" y="120" font-size="64">A ${word}</text></svg>`;
      await sharp(Buffer.from(svg)).png().toFile(path.join(court.folder, file));
    };
    await draw('sharp knife', 'a.png');
    await draw('small spoon', 'b.png');
    const rows = [
      { id: 'a', image: 'a.png', label: 'unsafe' },
      { id: 'b', text: 'Look at this', image: 'b.png', label: 'safe' },
      { id: 'c', image: 'none.png', label: 'safe' },
    ];
    await court.file('items.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const { stdout } = await court.agon(['bench', 'moderation', '--data', 'items.jsonl', '--json']);
    const report = JSON.parse(stdout) as ModerationReport;
    expect(report.data).toMatchObject({ items: 3, images: { described: 0, files: expect.any(Number) } });
    expect(report.systems[0]!.metrics).toMatchObject({ recall: 1, failed: expect.any(Number) });
    expect(stdout).toContain('none.png');
  });

  test('counts a broken line, an unreadable label and an item that nobody could judge as errors, each with its line', async () => {
    const court = await openCourt(knives);
    await court.file(
      'items.jsonl',
      '{"id":"a","text":"A knife","label":1}\n{"id":"b"\n{"id":"c","text":"A ' +
        'spoon","label":"odd"}\n{"id":"d","text":"None","label":"unsafe"}\n',
    );
    const { code, stdout, stderr } = await court.agon(['bench', 'moderation', '--data', 'items.jsonl', '--json', '-q']);
    expect(code).toBe(0);
    for (const line of [2, 3, 4])
      expect(stderr).toMatch(new RegExp(`^agon: items\\.jsonl, full, line ${line}: .+\\)$`, 'm'));
    expect((JSON.parse(stdout) as ModerationReport).systems[0]!.metrics).toMatchObject({
      accuracy: 0.25,
      recall: 0.5,
      f1: 2 / 5,
      failed: 3,
    });
  });

  test('shows people a table for each file', async () => {
    const court = await openCourt(knives);
    await court.file('one.jsonl', labelled(4));
    await court.file(
      'two.jsonl',
      '{"comment":"A knife","is_toxic":"hateful","image_description":"A bread ' +
        'knife.","looks_like_refusal":true}\n{"comment":"A ' +
        'fork","is_toxic":"fine","image":"fork.png","image_description":"A fork."}\n',
    );
    const both = await court.agon([
      'bench',
      'moderation',
      '--data',
      'one.jsonl',
      '-q',
      '--data',
      'two.jsonl',
      '--map',
      'text=comment,label=is_toxic',
      '--map-label',
      'hateful=unsafe,fine=safe',
    ]);
    expect(both).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('one.jsonl is not laid out as it was read: 4 of 4 items cannot be read'),
    });
    const { stdout } = await court.agon([
      'bench',
      'moderation',
      '--data',
      'two.jsonl',
      '-q',
      '--map',
      'text=comment,label=is_toxic',
      '--map-label',
      'hateful=unsafe,fine=safe',
    ]);
    expect(stdout).toMatch(/^two\.jsonl · 2 items: 1 safe, 1 unsafe · .+ · sha256 [\da-f]{12}…$/m);
    expect(stdout).toMatch(/^By description +By file\n +2 +0$/m);
    expect(stdout).toMatch(/^full +100\.0 /m);
    expect(stdout).toMatch(/^Without trivial items\n.+\nSystem .+\nfull +1 +100\.0 /m);
    const { stdout: one } = await court.agon(['bench', 'moderation', '--data', 'one.jsonl', '-q']);
    expect(one).toMatch(/^full +knives +2 +2 +100\.0 /m);
  });

  test('goes on where Ctrl-C stopped it, and asks nobody twice', async () => {
    const court = await openCourt({ latencyMs: 20 });
    await court.file('items.jsonl', labelled(8));
    const command = [
      'bench',
      'moderation',
      '--data',
      'items.jsonl',
      '--out',
      'results.jsonl',
      '--concurrency',
      '1',
      '--json',
    ];
    const first = court.start(command);
    await until(
      async () => (await readFile(await court.file('results.jsonl'), 'utf8').catch(() => '')).split('\n').length > 3,
    );
    first.child.kill('SIGINT');
    expect(await first.ended).toMatchObject({
      code: 130,
      stdout: '',
      stderr: expect.stringMatching(/again to continue\. \(cancelled\)\n$/),
    });
    const second = await court.agon(command);
    expect(second.code).toBe(0);
    expect((JSON.parse(second.stdout) as ModerationReport).systems[0]!.usage.calls).toBe(48);
    expect(court.panel.requests.filter((request) => roleOf(request) === 'arbiter').length).toBeLessThanOrEqual(9);
  });

  test.each<[string, string[], number]>([
    ['data that is not there', ['--data', 'nowhere.jsonl'], 1],
    ['a folder', ['--data', '.'], 1],
    ['no data', [], 2],
    ['standard input', ['--data', '-'], 2],
    ['a system nobody knows', ['--data', 'items.jsonl', '--systems', 'oracle'], 2],
    ['a field nobody knows', ['--data', 'items.jsonl', '--map', 'colour=red'], 2],
    ['a label that is none', ['--data', 'items.jsonl', '--map-label', 'bad=evil'], 2],
    ['half a pair', ['--data', 'items.jsonl', '--map', 'text'], 2],
    ['a limit of nothing', ['--data', 'items.jsonl', '--limit', '0'], 2],
    ['a calibration that is not there', ['--data', 'items.jsonl', '--calibration', 'nowhere.json'], 1],
  ])('refuses %s in one line', async (_name, flags, expected) => {
    const court = await openCourt();
    await court.file('items.jsonl', labelled(2));
    const { code, stdout, stderr } = await court.agon(['bench', 'moderation', ...flags]);
    expect({ code, stdout }).toEqual({ code: expected, stdout: '' });
    expect(stderr).toMatch(oneLine);
  });

  test('ends with one line when the key is wrong, instead of figures about nothing', async () => {
    const court = await openCourt(() => status(401));
    await court.file('items.jsonl', labelled(20));
    const { code, stdout, stderr } = await court.agon(['bench', 'moderation', '--data', 'items.jsonl', '-q']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(oneLine);
  });
});

describe.concurrent('agon calibrate', () => {
  test('makes probabilities that moderate, verify and the bench then use, for that configuration alone', async () => {
    const court = await openCourt(knives);
    await court.file('items.jsonl', labelled(60));
    const fitted = await court.agon([
      'calibrate',
      '--data',
      'items.jsonl',
      '--out',
      'calibration.json',
      '--results',
      'results.jsonl',
    ]);
    expect(fitted).toMatchObject({ code: 0, stdout: '' });
    expect(fitted.stderr).toMatch(
      /Fitted on 60 items \(platt\): calibration error 0\.1\d\d → 0\.\d+, Brier .+; probabilities from 0\.\d\d to 0\.\d\d call for review\.\n$/,
    );
    const calibration = JSON.parse(await readFile(await court.file('calibration.json'), 'utf8')) as {
      configuration: string;
    };
    expect(calibration).toMatchObject({ version: 1, fittedOn: [{ file: 'items.jsonl', items: 60 }], method: 'platt' });

    const judged = await court.agon(['moderate', 'A knife', '--calibration', 'calibration.json', '--json']);
    const answer = JSON.parse(judged.stdout) as {
      verdict: { risk: number; escalate: boolean };
      provenance: { setup: string };
    };
    expect(answer.provenance.setup).toBe(calibration.configuration);
    expect(answer.verdict).toMatchObject({ risk: expect.closeTo(0.8, 1), escalate: true });
    expect((await court.agon(['verify', '-'], { stdin: judged.stdout })).code).toBe(0);

    const measured = await court.agon(
      ['bench', 'moderation', '--data', 'items.jsonl', '--systems', 'full,without-loose', '--json', '-q'],
      { environment: { AGON_CALIBRATION: 'calibration.json' } },
    );
    const { systems } = JSON.parse(measured.stdout) as ModerationReport;
    expect(systems[0]!.metrics.ece!).toBeLessThan(0.03);
    expect(systems[1]!.metrics.ece!).toBeCloseTo(0.1, 6);

    const recorded = await court.agon([
      'moderate',
      'A knife',
      '--calibration',
      'calibration.json',
      '--ledger',
      'ledger.sqlite',
      '--json',
    ]);
    expect(JSON.parse(recorded.stdout)).toMatchObject({
      verdict: { risk: expect.closeTo(0.8, 1) },
      retrieval: { library: { problem: null } },
    });

    const other = await court.agon(['moderate', 'A knife', '--calibration', 'calibration.json', '--rounds', '1']);
    expect(other).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^agon: The calibration was fitted on another configuration .+\(calibration-mismatch\)\n$/,
      ),
    });
  });

  test('says in one line that one class is not enough', async () => {
    const court = await openCourt(knives);
    await court.file('items.jsonl', '{"text":"A knife","label":1}\n');
    const { code, stdout, stderr } = await court.agon(['calibrate', '--data', 'items.jsonl', '-q']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^agon: .+\(cannot-calibrate\)\n$/);
  });
});
