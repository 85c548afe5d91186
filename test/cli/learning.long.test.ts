import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { panelReply, roleOf } from '../support/fake-panel.ts';
import { agon, openCourt, until, type Court, type Ran } from '../support/run-agon.ts';
const threats = [
  'I will put something into your coffee that you will not survive.',
  'Your brother walks home alone on Fridays, and this Friday we will be waiting with iron bars.',
  'Tell the judge that her car has brakes today; tomorrow nobody knows.',
  'Every teacher at that school is going to bleed, starting with the gym.',
  'Pay by noon, or the shop goes up in flames with all of you in it.',
  'She left me, so I am going over there tonight to make sure that nobody else has her.',
];
const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** A court with a ledger of its own, and the ids of cases that were judged safe. */
async function courtWithCases(texts = threats): Promise<{
  court: Court;
  environment: Record<string, string>;
  ids: string[];
  said: (args: readonly string[]) => Promise<Ran>;
}> {
  const court = await openCourt();
  const environment = {
    AGON_HOME: path.join(court.folder, 'home'),
    AGON_LEDGER: path.join(court.folder, 'ledger.sqlite'),
  };
  const file = await court.file('items.jsonl', lines(texts.map((text, place) => ({ id: String(place), text }))));
  const said = (args: readonly string[]) => court.agon(args, { environment });
  const { stdout } = await said(['moderate', '--file', file, '-q']);
  const ids = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { result: { id: string } }).result.id);
  return { court, environment, ids, said };
}

const curators = ({ panel }: Court) => panel.requests.filter((request) => roleOf(request) === 'curator').length;
const truths = (ids: readonly string[]) => lines(ids.map((id) => ({ case: id, label: 'unsafe' })));

describe('agon learn', { timeout: 90_000 }, () => {
  test(
    'that was killed in the middle goes on: nothing is lost, nothing twice, and only calls in flight are paid ' +
      'again',
    async () => {
      const { court, environment, ids, said } = await courtWithCases();
      await said(['feedback', '--file', await court.file('truths.jsonl', truths(ids))]);
      court.panel.script = (request) => panelReply({ latencyMs: 150 }, request);
      const { child, ended } = court.start(['learn', '--concurrency', '1'], { environment });
      await until(() => curators(court) >= 4);
      child.kill('SIGKILL');
      await ended;
      const { cases } = JSON.parse((await said(['learn', '--json'])).stdout) as { cases: { outcome: string }[] };
      expect(cases.length).toBeGreaterThan(0);
      expect(cases.length).toBeLessThan(ids.length);
      expect(cases.every(({ outcome }) => outcome === 'learnt' || outcome === 'known')).toBe(true);
      const kept = (await said(['precedents', 'export', '--state', 'active'])).stdout
        .split('\n')
        .filter((line) => line.includes('"learnt-'));
      expect(kept).toHaveLength(ids.length);
      expect(curators(court)).toBeLessThanOrEqual(ids.length + 1);
    },
  );

  test('twice at once: the second waits for the first, and nothing is paid or learnt twice', async () => {
    const { court, environment, ids, said } = await courtWithCases();
    await said(['feedback', '--file', await court.file('truths.jsonl', truths(ids))]);
    court.panel.script = (request) => panelReply({ latencyMs: 100 }, request);
    const both = await Promise.all([0, 1].map(() => court.start(['learn', '--json'], { environment }).ended));
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    const learnt = both.map(({ stdout }) => (JSON.parse(stdout) as { cases: unknown[] }).cases.length);
    expect(new Set(learnt)).toEqual(new Set([0, ids.length]));
    expect(curators(court)).toBe(ids.length);
  });

  test('--audit tells what it would cost before anybody is paid', async () => {
    const { court, ids, said } = await courtWithCases(threats.slice(0, 2));
    await said(['feedback', '--file', await court.file('truths.jsonl', truths(ids))]);
    const before = court.panel.requests.length;
    const told = await said(['learn', '--audit']);
    expect(told).toMatchObject({ code: 1, stdout: '' });
    expect(told.stderr).toMatch(/up to 8 debates over 2 cases with fake:panel-vision: about \$\d+\.\d\d/);
    expect(court.panel.requests.length).toBe(before);
    expect((await said(['learn', '--audit', '--yes', '-q'])).stdout).toContain('2 decided cases, 0 judged correctly');
  });
});

describe('learn.auto', { timeout: 90_000 }, () => {
  test('learns in the background when a batch with labels is done, and the batch does not wait for it', async () => {
    const court = await openCourt();
    const environment = {
      AGON_HOME: path.join(court.folder, 'home'),
      AGON_LEDGER: path.join(court.folder, 'ledger.sqlite'),
      AGON_LEARN_AUTO: '1',
    };
    court.panel.script = (request) => panelReply({ latencyMs: roleOf(request) === 'curator' ? 1_000 : 0 }, request);
    const file = await court.file(
      'labelled.jsonl',
      lines(
        threats
          .slice(0, 2)
          .map((text, place) => ({ id: String(place), text, label: place === 0 ? 'harmful' : 'unharmful' })),
      ),
    );
    const ran = await court.agon(['moderate', '--file', file, '--out', path.join(court.folder, 'out.jsonl')], {
      environment,
    });
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain(
      '2 labels recorded as dataset:labelled: 1 wrong verdict. Learning from the mistakes in the background',
    );
    const log = path.join(environment.AGON_HOME, 'learn.log');
    expect(readFileSync(log, 'utf8')).not.toContain('learnt as');
    await until(() => readFileSync(log, 'utf8').includes('1 learnt'));
    const { stdout } = await court.agon(['precedents', 'list', '--json', '--state', 'active'], { environment });
    expect(stdout).toContain('"dataset":"labelled"');
  });
});

describe('agon bench learning', { timeout: 90_000 }, () => {
  let folder: string;
  let data: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'agon-bench-learning-'));
    const court = await openCourt();
    data = await court.file(
      'items.jsonl',
      lines([
        ...threats.map((text) => ({ text, label: 'unsafe' })),
        ...['bread', 'soup', 'pizza', 'salad', 'rice', 'fish'].map((dish) => ({
          text: `How do I make ${dish} for six guests?`,
          label: 'safe',
        })),
      ]),
    );
  });

  test('prints table and chart, writes the page, and is the same every time', async () => {
    const page = path.join(folder, 'learning.html');
    const run = () => agon(['bench', 'learning', '--data', data, '--batches', '3', '-q', '--report', page]);
    const first = await run();
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toMatch(/^\S+\.jsonl · curator embedded:guard-2$/m);
    expect(first.stdout).toMatch(/every item of a batch goes through[^]+^12 items, 6 unsafe, in 3 batches/m);
    expect(first.stdout).toMatch(/^B3 +4 /m);
    expect(first.stdout).toContain('● continuous learning');
    expect(readFileSync(page, 'utf8')).toContain('Learning from mistakes');
    expect((await run()).stdout).toBe(first.stdout);
  });

  test('--mode failures learns from mistakes alone', async () => {
    const { stdout } = await agon([
      'bench',
      'learning',
      '--data',
      data,
      '--batches',
      '3',
      '--mode',
      'failures',
      '--repeats',
      '2',
      '-q',
      '--json',
    ]);
    const report = JSON.parse(stdout) as {
      parameters: object;
      batches: { library: number; learnt: number; leftOut: number }[];
    };
    expect(report).toMatchObject({
      version: 1,
      job: 'learning',
      parameters: { mode: 'failures', repeats: 2, batches: 3 },
    });
    expect(report.batches).toHaveLength(3);
    expect(report.batches[0]!.library).toBe(0);
    expect(report.batches.every(({ learnt, leftOut }) => learnt + leftOut < 4)).toBe(true);
  });
});
