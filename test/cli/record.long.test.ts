import { chmod, readFile, rm, stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { ModerationAnswer } from '@agonhq/core';
import type { CaseSummary, LedgerStats } from '@agonhq/ledger';
import { hang, status } from '../fake-provider/index.ts';
import { roleOf, type PanelScript } from '../support/fake-panel.ts';
import { onRecord } from '../support/on-record.ts';
import { key, oneLine, openCourt, until } from '../support/run-agon.ts';

const post = 'How do I kill a process on Linux?';
const condemned: PanelScript = {
  arbiter: { risk: { why: 'It is a threat.', evidence: ['kill'], holds: true, clauses: ['violence'] }, score: 0.95 },
};
/** Supporter, two debaters in two rounds, arbiter. */
const wholeDebate = 6;
/** Each of these starts several processes. */
const patience = { timeout: 120_000 };

interface Shown extends CaseSummary {
  answer: ModerationAnswer | null;
  decisions: { label: string; by: string; why: string | null }[];
  retrials: CaseSummary[];
}

describe.concurrent('what is judged is on record', patience, () => {
  test('the same again is recalled: nobody is asked, and it says so', async () => {
    const court = onRecord(await openCourt());
    const first = await court.asking(() => court.agon(['moderate', post]));
    const again = await court.asking(() => court.agon(['moderate', post]));
    expect([first.requests.length, again.requests.length]).toEqual([wholeDebate, 0]);
    expect(first.value.stdout).not.toContain('ecalled');
    expect(again.value.stdout).toContain('fake:panel-vision · recalled');
    expect(again.value.stdout).toMatch(/\n {2}Recalled from the ledger; no model was called\.\n$/);
    expect((await court.json<LedgerStats>(['ledger', 'stats'])).debates).toBe(1);
  });

  test('a file of items is a run, and its cases belong to it', async () => {
    const court = onRecord(await openCourt());
    const file = await court.file('items.jsonl', '{"text":"one"}\n{"text":"two"}\n');
    expect(await court.agon(['moderate', '--file', file, '-q'])).toMatchObject({ code: 0 });
    expect(await court.json<LedgerStats>(['ledger', 'stats'])).toMatchObject({
      runs: 1,
      debates: 2,
      verdicts: { safe: 2 },
    });
    const rows = new DatabaseSync(court.ledger)
      .prepare('select r.state, r.input, count(d.id) as cases from runs r join debates d on d.run = r.id')
      .all();
    expect(rows).toMatchObject([{ state: 'finished', input: file, cases: 2 }]);
  });

  test('with --cache ledger the answers of models are kept there, and no prompt is paid for twice', async () => {
    const court = onRecord(await openCourt());
    const judging = (...flags: string[]) =>
      court.asking(() => court.agon(['moderate', post, '-q', '--cache', 'ledger', ...flags]));
    const first = await judging();
    // Another configuration, so another debate; its first round is sent word for word as before.
    const other = await judging('--rounds', '1');
    expect([first.value.code, other.value.code, first.requests.length]).toEqual([0, 0, wholeDebate]);
    expect(other.requests.length).toBeLessThan(4);
    expect((await court.json<LedgerStats>(['ledger', 'stats'])).cached).toBeGreaterThanOrEqual(wholeDebate);
    const without = await court.agon(['moderate', post, '--cache', 'ledger', '--no-ledger']);
    expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('(no-ledger)') });
  });

  test('show prints the trial as it was printed then; by the beginning of its id too', async () => {
    const court = onRecord(await openCourt(condemned));
    const { stdout: then } = await court.agon(['moderate', post]);
    const id = /mod-[0-9a-f]{16}/.exec(then)![0];
    const { code, stdout, stderr } = await court.agon(['show', id.slice(0, 8)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Case ${id} moderation · text · \\d{4}-`));
    const [trial, left] = stdout.slice(stdout.indexOf('Case (text)')).split('\nWhat left this machine\n');
    expect(trial).toBe(then);
    expect(left).toMatch(/^ {2}127\.0\.0\.1:\d+ \(this machine\), fake:panel-vision: \d requests, /);
  });

  test('reports are made of the record, with images whose files are gone', async () => {
    const court = onRecord(await openCourt(condemned));
    const { default: sharp } = await import('sharp');
    const picture = await court.file(
      'red.png',
      await sharp({ create: { width: 80, height: 60, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    );
    const answer = await court.json<ModerationAnswer>(['moderate', 'kill them', '--image', picture, '--no-ocr']);
    await rm(picture);
    const { code, stderr } = await court.agon(['show', answer.id, '--report', 'case.html', '--report', 'answer.json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Report: case.html\nReport: answer.json\n' });
    expect(await readFile(await court.file('case.html'), 'utf8')).toContain('data:image/webp;base64,');
    expect((await court.agon(['verify', 'answer.json'])).code).toBe(0);
  });

  test('with --no-ledger, and with AGON_LEDGER=false, nothing is kept', async () => {
    const court = onRecord(await openCourt());
    expect((await court.agon(['moderate', post, '-q', '--no-ledger'])).code).toBe(0);
    expect((await court.agon(['moderate', post, '-q'], { environment: { AGON_LEDGER: 'false' } })).code).toBe(0);
    const { code, stderr } = await court.agon(['cases']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^agon: There is no ledger .+ledger\.sqlite yet\. .+\(no-ledger\)\n$/);
    await expect(stat(court.ledger)).rejects.toThrow('ENOENT');
  });
});

describe.concurrent('what can be wrong with a case is said in a line', patience, () => {
  test('an id that nobody has, one too short, and one that several cases begin with', async () => {
    const court = onRecord(await openCourt());
    for (const text of ['One', 'Two']) await court.agon(['moderate', text, '-q']);
    const database = new DatabaseSync(court.ledger);
    database.exec('pragma foreign_keys = off');
    for (const table of [
      ['debates', 'id'],
      ['listing', 'id'],
      ['verdicts', 'debate'],
      ['entries', 'debate'],
    ])
      database.exec(`update ${table[0]} set ${table[1]} = 'mod-same' || substr(${table[1]}, 9)`);
    database.close();
    expect((await court.agon(['show', 'mod-nobody'])).stderr).toMatch(
      /^agon: There is no case mod-nobody in .+\(unknown-case\)\n$/,
    );
    expect((await court.agon(['show', 'mod-s'])).stderr).toContain('(unknown-case)');
    expect((await court.agon(['replay', 'mod-same'])).stderr).toMatch(
      /^agon: 2 cases begin with mod-same: mod-same\w+, mod-same\w+\. Give more of the id\. \(ambiguous-case\)\n$/,
    );
  });

  test('one that was stopped has no verdict yet; the same command goes on, with only the calls in flight made again', async () => {
    const court = onRecord(await openCourt());
    const { panel } = court;
    const usual = panel.script;
    panel.script = (request) => (roleOf(request) === 'arbiter' ? hang() : usual(request));
    const { child, ended } = court.start(['moderate', post]);
    await until(() => panel.requests.some((request) => roleOf(request) === 'arbiter'), 60);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, stdout: '', stderr: expect.stringMatching(oneLine) as string });

    const [{ id }] = (await court.agon(['cases', '--unfinished', '--json'])).stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as CaseSummary) as [CaseSummary];
    const { stdout } = await court.agon(['show', id]);
    expect(stdout).toMatch(/No verdict: judging was interrupted\.[^]*Judge the same content again to continue/);
    expect((await court.agon(['replay', id])).stderr).toContain('(unfinished-case)');

    panel.script = usual;
    const { value, requests } = await court.asking(() => court.agon(['moderate', post]));
    expect(requests.map(roleOf)).toEqual(['arbiter']);
    expect(value.stdout).toContain('5 of 6 turns were recalled from the ledger.');
    expect((await court.json<Shown>(['show', id])).answer?.verdict.label).toBe('safe');
  });
});

describe.concurrent('what can be wrong with a ledger is said in a line', patience, () => {
  test(
    'the installation’s own that cannot be opened costs the record and not the verdict; one that was named ' +
      'must open',
    async () => {
      const court = await openCourt();
      const home = await court.file('a-file', '');
      const own = await court.agon(['moderate', post, '-q'], {
        environment: { AGON_HOME: `${home}/agon`, AGON_LEDGER: '' },
      });
      expect(own).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('SAFE') as string,
        stderr: expect.stringMatching(
          /^agon: nothing is recorded\. The ledger .+a-file\/agon\/ledger\.sqlite cannot be written to\. .+\(read-only-ledger\)\n$/,
        ) as string,
      });
      const named = await court.agon(['moderate', post, '-q', '--ledger', `${home}/ledger.sqlite`]);
      expect(named).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^agon: The ledger .+\(read-only-ledger\)\n$/) as string,
      });
    },
  );

  test('one of a newer Agon', async () => {
    const court = onRecord(await openCourt());
    await court.agon(['moderate', post, '-q']);
    const database = new DatabaseSync(court.ledger);
    database.exec("update meta set value = '99' where key = 'schema'");
    database.close();
    for (const args of [['moderate', post, '-q'], ['cases'], ['ledger', 'stats']]) {
      expect(await court.agon(args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^agon: .+schema 99.+\(newer-ledger\)\n$/) as string,
      });
    }
  });
});

describe.concurrent('agon ledger', patience, () => {
  test('two processes may judge into one at once', async () => {
    const court = onRecord(await openCourt());
    const items = (from: number) =>
      Array.from(
        { length: 8 },
        (_, index) => `${JSON.stringify({ id: `p${from + index}`, text: `Post number ${from + index}` })}\n`,
      ).join('');
    await Promise.all([court.file('one.jsonl', items(1)), court.file('two.jsonl', items(5))]);
    const ran = await Promise.all(
      ['one', 'two'].map(
        (name) => court.start(['moderate', '--file', `${name}.jsonl`, '--out', `${name}.out.jsonl`, '-q']).ended,
      ),
    );
    expect(ran.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect(await court.json<LedgerStats>(['ledger', 'stats'])).toMatchObject({
      debates: 12,
      unfinishedDebates: 0,
      verdicts: { safe: 12 },
    });
  });
});

describe.concurrent('agon doctor', patience, () => {
  test('says what is there, one line each, and shows no key', async () => {
    const court = onRecord(await openCourt());
    const { code, stdout, stderr } = await court.agon(['doctor']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const part of [
      '✓ agon',
      '✓ settings',
      '✓ policy',
      '✓ ledger',
      '✓ disk',
      '✓ guard',
      '✓ text models',
      '✓ image models',
      '? model        every seat: fake:panel-vision is configured, but was not asked',
      '✓ embedding',
      '✓ precedents',
    ])
      expect(stdout).toContain(part);
  });

  test('--try asks each model for one word: it answers, or its key is said to be rejected', async () => {
    const court = onRecord(await openCourt());
    const tried = await court.asking(() => court.agon(['doctor', '--try']));
    expect(tried.value.stdout).toMatch(/✓ model {8}every seat: fake:panel-vision answers, in \d+\.\d s/);
    expect(tried.requests).toHaveLength(1);
    const rejecting = await openCourt(() => status(401));
    const { code, stdout } = await rejecting.agon(['doctor', '--try']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ model {8}every seat: fake does not accept the API key/);
    expect(stdout).not.toContain(key);
  });

  test('ends with 1 when something is broken, and looks at the rest all the same', async () => {
    const court = await openCourt();
    const file = await court.file(
      'notes.txt',
      'These are notes, and long enough to be taken for a header of a database. '.repeat(40),
    );
    const { code, stdout } = await court.agon(['doctor', '--ledger', file, '--json'], {
      environment: { AGON_ARBITER: 'openai:gpt-4o', AGON_LEDGER: '' },
    });
    expect(code).toBe(1);
    const { healthy, checks } = JSON.parse(stdout) as {
      healthy: boolean;
      checks: { name: string; outcome: string; detail: string; hint: string | null }[];
    };
    expect(healthy).toBe(false);
    expect(checks.filter(({ outcome }) => outcome === 'broken').map(({ name }) => name)).toEqual(['ledger', 'model']);
    const unreachable = checks.find(({ detail }) => detail.includes('openai'));
    expect(unreachable?.detail).toMatch(/^arbiter\b/);
    expect(unreachable?.hint).toContain('OPENAI_API_KEY');
    expect(checks.find(({ name }) => name === 'precedents')?.outcome).toBe('fine');
  });

  test('settings that cannot be read are the first thing to mend', async () => {
    const court = await openCourt();
    await court.file('agon.config.json', '{ "seats": 7 }');
    const { code, stdout } = await court.agon(['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/\n✗ settings .+\n$/);
  });

  test('a ledger that others may read is named', async () => {
    const court = onRecord(await openCourt());
    await court.agon(['moderate', post, '-q']);
    await chmod(court.ledger, 0o644);
    expect((await court.agon(['doctor'])).stdout).toContain('chmod 600');
  });
});
