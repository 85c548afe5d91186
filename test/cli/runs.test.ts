import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import type { Log } from 'sarif';
import { describe, expect, test } from 'vitest';
import { openLedger } from '@agonhq/ledger';
import type { ImpactReport, RunDifference, RunReport, Snapshot } from '@agonhq/core/runs';
import { panelReply, type PanelScript } from '../support/fake-panel.ts';
import { stageRun, wrong, type StagedItem } from '../support/judged-run.ts';
import { onRecord, type CourtOfRecord } from '../support/on-record.ts';
import { oneLine, openCourt, until } from '../support/run-agon.ts';

/* What the figures are is tested beside packages/core/src/runs; this is what the command line makes of them. */

/** Each of these starts several processes. */
const patience = { timeout: 240_000 };

async function courtWith(
  runs: Record<string, { items: StagedItem[]; name?: string; state?: 'finished' | 'stopped' }>,
  script: Parameters<typeof openCourt>[0] = {},
): Promise<CourtOfRecord> {
  const court = onRecord(await openCourt(script));
  const ledger = await openLedger({ file: court.ledger });
  for (const [id, { items, ...more }] of Object.entries(runs)) await stageRun(ledger, id, items, more);
  await ledger.close();
  return court;
}

const items: StagedItem[] = [
  { key: 'a', label: 'safe', expected: 'safe' },
  { key: 'b', label: 'unsafe', expected: 'safe' },
  { key: 'c', error: wrong('nobody-heard') },
  { key: 'd', text: 'What was said in item 1.' },
];

describe.concurrent('agon runs', patience, () => {
  test('list and show tell where runs stand', async () => {
    const court = await courtWith({
      'run-11111111': { items, name: 'nightly', state: 'finished' },
      'run-22222222': { items: [{}], state: 'stopped' },
    });
    const listed = await court.agon(['runs', 'list']);
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toMatch(/^run +name +job +state +done/);
    expect(listed.stdout).toMatch(
      /run-11111111 +nightly +moderation +finished +3\/4 +1 +\$0\.0200 .* 1 safe, 1 unsafe/,
    );
    expect((await court.agon(['runs', 'list', '--state', 'stopped'])).stdout).not.toContain('nightly');
    const shown = await court.agon(['runs', 'show', 'nightly']);
    for (const part of [
      'Run run-11111111 nightly\n',
      'state     finished',
      '2 judged, 1 duplicate, 1 failed of 4',
      'accuracy 0.500',
      '1 item failed with nobody-heard\n  line 3  c: It failed with nobody-heard.',
      'agon runs retry-failed run-11111111',
    ]) {
      expect(shown.stdout).toContain(part);
    }
    expect(await court.json<RunReport>(['runs', 'show', 'run-1111'])).toMatchObject({
      version: 1,
      id: 'run-11111111',
      counts: { done: 2 },
      failures: [{ code: 'nobody-heard' }],
    });
    expect((await court.agon(['runs', 'show', 'weekly'])).stderr).toMatch(oneLine);
  });

  test('show says how to go on with a run that nobody works on', async () => {
    const court = await courtWith({ 'run-99999999': { items: [{}] } });
    expect((await court.agon(['runs', 'show', 'run-9999'])).stdout).toMatch(
      /state +running\n[^]*No item finished in the last minute\. .*: agon runs resume run-99999999\n$/,
    );
    expect(await court.agon(['runs', 'cancel', 'run-9999'])).toMatchObject({ code: 0 });
    expect((await court.agon(['runs', 'show', 'run-9999'])).stdout).toMatch(
      /state +cancelled\n[^]*To continue: agon runs resume run-99999999\n$/,
    );
  });

  test('export writes results to standard output or into a file, as JSON or as a table', async () => {
    const court = await courtWith({ 'run-33333333': { items } });
    const { stdout } = await court.agon(['runs', 'export', 'run-3333']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { key: string }).key),
    ).toEqual(['a', 'b', 'c', 'd']);
    const file = path.join(court.folder, 'verdicts.csv');
    expect(await court.agon(['runs', 'export', 'run-3333', '--out', file, '--only', 'done'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: `Wrote 3 results to ${file}.\n`,
    });
    expect(parse<{ line: string; key: string; label: string }>(await readFile(file), { columns: true })).toMatchObject([
      { line: '1', key: 'a', label: 'safe' },
      { line: '2', key: 'b', label: 'unsafe' },
      { line: '4', key: 'd', label: 'safe' },
    ]);
    for (const name of ['boss.xlsx', 'boss.HTML', 'boss.md']) {
      const other = path.join(court.folder, name);
      const refused = await court.agon(['runs', 'export', 'run-3333', '--out', other]);
      expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('End the name in .jsonl') });
      expect(existsSync(other)).toBe(false);
    }
    const junit = await court.agon(['runs', 'export', 'run-3333', '--format', 'junit']);
    expect(junit.stdout).toContain('tests="4" failures="1" errors="1" skipped="0"');
    const sarif = await court.agon(['runs', 'export', 'run-3333', '--format', 'sarif', '--fail-on', 'safe']);
    expect((JSON.parse(sarif.stdout) as Log).runs[0]!.results!.map(({ level }) => level)).toHaveLength(3);
    expect(sarif.code).toBe(1);
    expect((await court.agon(['runs', 'export', 'run-3333', '--out', '/dev/full'])).stderr).toMatch(oneLine);
  });

  test('export ends with 3 where --fail-on names a verdict of the run, and with 4 where it has none', async () => {
    const court = await courtWith({ 'run-31313131': { items: items.slice(0, 2) }, 'run-32323232': { items: [] } });
    const exported = (...flags: string[]) => court.agon(['runs', 'export', ...flags]);
    expect((await exported('run-3131', '--fail-on', 'unsafe')).code).toBe(3);
    expect((await exported('run-3131', '--fail-on', 'undecided', '--format', 'csv')).code).toBe(0);
    expect((await exported('run-3131', '--fail-on', 'bad')).stderr).toMatch(/--fail-on bad is not a verdict/);
    const junit = await exported('run-3232', '--format', 'junit');
    expect(junit).toMatchObject({ code: 4, stdout: expect.stringContaining('tests="1" failures="0" errors="1"') });
    expect((await exported('run-3232', '--format', 'junit', '--allow-empty')).code).toBe(0);
    expect((await exported('run-3232', '--format', 'csv')).code).toBe(0);
  });

  test('diff says what flipped, and how likely that is by chance', async () => {
    const court = await courtWith({
      'run-44444444': { items, name: 'monday' },
      'run-55555555': {
        items: [{ ...items[0]! }, { ...items[1]!, label: 'safe' }, items[2]!, items[3]!],
        name: 'tuesday',
      },
    });
    const { stdout } = await court.agon(['runs', 'diff', 'monday', 'tuesday']);
    for (const part of [
      'monday (run-44444444) → tuesday (run-55555555)',
      '3 items: 2 the same, 1 flipped (33.3 %)',
      '1 unsafe → safe',
      'b  unsafe 0.90 → safe 0.10 (corrected)',
      'What was said in item 2.',
    ])
      expect(stdout).toContain(part);
    const back = await court.agon(['runs', 'diff', 'tuesday', 'monday']);
    for (const part of ['1 safe → unsafe', 'b  safe 0.10 → unsafe 0.90 (broken)', '0 corrected, 1 broken'])
      expect(back.stdout).toContain(part);
    expect((await court.agon(['runs', 'diff', 'monday', 'monday'])).stdout).toContain('3 items: 3 the same, 0 flipped');
    expect(await court.json<RunDifference>(['runs', 'diff', 'monday', 'tuesday'])).toMatchObject({
      version: 1,
      flipped: [{ key: 'b' }],
      labelled: { putRight: 1 },
    });
  });

  test('cancel takes what waits out of the queue and says how to go on; a finished run has nothing to cancel', async () => {
    const court = await courtWith({
      'run-66666666': { items: [{ label: 'safe' }, {}, {}] },
      'run-77777777': { items: [{ label: 'safe' }], state: 'finished' },
    });
    expect(await court.agon(['runs', 'cancel', 'run-6666'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Cancelled run-66666666\. 2 items will not be judged; .*agon runs resume run-66666666/,
      ),
    });
    expect(await court.json<RunReport>(['runs', 'show', 'run-6666'])).toMatchObject({
      state: 'cancelled',
      counts: { done: 1 },
    });
    expect((await court.agon(['runs', 'cancel', 'run-7777'])).stderr).toContain('(finished-run)');
  });

  test('top is one look where nobody watches', async () => {
    const court = await courtWith({ 'run-88888888': { items: [...items, {}], name: 'nightly' } });
    const { stdout } = await court.agon(['runs', 'top']);
    expect(stdout).toMatch(/^run +job +done +rate +left/);
    expect(stdout).toMatch(/nightly \(run-88888888\) +moderation +3\/5 /);
    expect(await court.json<Snapshot>(['runs', 'top'])).toMatchObject({
      version: 1,
      workers: null,
      runs: [{ id: 'run-88888888', waiting: 1 }],
    });
  });
});

describe.concurrent('agon runs retry-failed', patience, () => {
  test('tries the failed items again and goes on like a resume', async () => {
    let broken = true;
    const court = onRecord(
      await openCourt((request) =>
        broken && request.prompt.includes('second post')
          ? { kind: 'status', status: 500, headers: {}, body: '{}' }
          : panelReply({}, request),
      ),
    );
    const file = await court.file(
      'items.jsonl',
      '{"id":"1","text":"The first post."}\n{"id":"2","text":"The second post."}\n{oops\n',
    );
    expect(
      (await court.agon(['run', 'moderation', '--file', file, '--name', 'posts', '--attempts', '1', '-q'])).code,
    ).toBe(1);
    expect(await court.json<RunReport>(['runs', 'show', 'posts'])).toMatchObject({ counts: { done: 1, failed: 2 } });
    broken = false;
    const retried = await court.agon(['runs', 'retry-failed', 'posts']);
    expect(retried.stderr).toContain('1 failed item of run-');
    expect(await court.json<RunReport>(['runs', 'show', 'posts'])).toMatchObject({
      state: 'finished',
      counts: { done: 2, failed: 1, failuresByCode: { 'broken-line': 1 } },
    });
    expect((await court.agon(['runs', 'retry-failed', 'posts'])).stderr).toContain('no failed items to try again');
  });
});

describe.concurrent('agon runs impact', patience, () => {
  const threat: PanelScript['arbiter'] = {
    statement: 'It is.',
    risk: { why: 'It is.', evidence: ['kukri'], holds: true, clauses: ['weapons'] },
    score: 0.9,
  };

  async function judgedCourt(latencyMs = 0) {
    const court = onRecord(
      await openCourt((request) =>
        panelReply(
          {
            latencyMs,
            ...(request.prompt.includes('KUKRIS') && request.prompt.includes('a kukri') ? { arbiter: threat } : {}),
          },
          request,
        ),
      ),
    );
    const words = await readFile(path.join(import.meta.dirname, '..', '..', 'policies', 'default.yaml'), 'utf8');
    const policy = await court.file(
      'new.yaml',
      words.replace(/^name: .*$/m, 'name: Strict').replace(/^( +text:) .*$/m, '$1 No KUKRIS here.'),
    );
    for (const post of ['Sell me a kukri.', 'Good morning.']) await court.agon(['moderate', post, '-q']);
    return { court, policy };
  }

  test('lists the flips by clause, writes them, and asks nobody the second time', async () => {
    const { court, policy } = await judgedCourt();
    const out = path.join(court.folder, 'flips.jsonl');
    const first = await court.asking(() =>
      court.agon(['runs', 'impact', '--policy', policy, '--since', '1h', '--out', out]),
    );
    expect(first.value.code).toBe(0);
    expect(first.requests.length).toBeGreaterThan(0);
    for (const part of ['Under Strict', '2 cases judged again', '1 (50.0 %): 1 safe → unsafe', 'weapons'])
      expect(first.value.stdout).toContain(part);
    expect(
      (await readFile(out, 'utf8'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([
      { flipped: true, before: { label: 'safe' }, after: { label: 'unsafe' }, excerpt: 'Sell me a kukri.' },
    ]);
    const again = await court.asking(() => court.json<ImpactReport>(['runs', 'impact', '--policy', policy]));
    expect(again.requests).toEqual([]);
    expect(again.value).toMatchObject({ cases: 2, flips: { 'safe → unsafe': 1 }, argued: 0 });
  });

  test('stopped by Ctrl-C prints what it has found and how to go on', async () => {
    const { court, policy } = await judgedCourt(300);
    const before = court.panel.requests.length;
    const { child, ended } = court.start(['runs', 'impact', '--policy', policy, '--concurrency', '1']);
    await until(() => court.panel.requests.length > before, 60);
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(130);
    expect(stdout).toContain('then stopped');
    expect(stderr).toContain('Run the command again to continue');
  });

  test('refuses what makes no sense before anything is judged', async () => {
    const { court, policy } = await judgedCourt();
    expect((await court.agon(['runs', 'impact'])).code).toBe(2);
    expect((await court.agon(['runs', 'impact', '--policy', policy, '--run', 'x', '--since', '1d'])).stderr).toContain(
      '(bad-flag)',
    );
    expect((await court.agon(['runs', 'impact', '--policy', policy, '--run', 'x'])).stderr).toContain('(unknown-run)');
    expect((await court.agon(['runs', 'impact', '--policy', 'nowhere.yaml'])).stderr).toMatch(oneLine);
  });
});
