import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { roleOf } from '../support/fake-panel.ts';
import { agon, oneLine, openCourt, type Court, type Ran } from '../support/run-agon.ts';
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

describe('agon feedback', { timeout: 90_000 }, () => {
  test('says whether the verdict was right; a file is recorded whole or not at all', async () => {
    const { court, ids, said } = await courtWithCases(threats.slice(0, 2));
    expect((await said(['feedback', ids[0]!, '--label', 'unsafe', '--why', 'A threat.'])).stdout).toContain(
      'the verdict safe was wrong, the case is unsafe',
    );
    expect(
      JSON.parse(
        (await said(['feedback', ids[0]!.slice(0, 12), '--label', 'unsafe', '--why', 'A threat.', '--json'])).stdout,
      ),
    ).toMatchObject({ right: false, repeated: true });
    const bad = await court.file('bad.jsonl', `${truths([ids[1]!])}{"case":"nobody","label":"safe"}\n`);
    const refused = await said(['feedback', '--file', bad]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(oneLine);
    expect(refused.stderr).toContain('Line 2 of');
    expect((await said(['learn', '--dry-run', '--json'])).stdout).not.toContain(ids[1]);
    const good = await court.file('good.jsonl', truths(ids));
    expect((await said(['feedback', '--file', good])).stdout).toMatch(
      /^Recorded 2 decisions.*: 0 verdicts were correct, 2 wrong\./,
    );
  });

  test.each([
    [[]],
    [['mod-1']],
    [['mod-1', '--label', 'toxic']],
    [['mod-1', '--label', 'safe', '--file', 'x']],
    [['--file', 'x', '--why', 'y']],
  ])('%j is a wrong command line', async (args) => {
    const ran = await agon(['feedback', ...args]);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toMatch(oneLine);
  });
});

describe('agon learn', { timeout: 90_000 }, () => {
  test('makes precedents of mistakes, once, and tells which', async () => {
    const { court, ids, said } = await courtWithCases(threats.slice(0, 2));
    await said(['feedback', '--file', await court.file('truths.jsonl', truths(ids))]);
    const first = await said(['learn']);
    expect(first.code).toBe(0);
    expect(first.stdout).toMatch(/was safe, is unsafe: learnt as learnt-[0-9a-f]{12}/);
    expect(first.stdout).toMatch(/2 cases studied by fake:panel-vision: 2 learnt/);
    expect((await said(['learn'])).stdout).toBe('Nothing to learn: there are no new wrong verdicts on record.\n');
    expect((await said(['precedents', 'list', '--label', 'unsafe'])).stdout).toContain('A hint at harm.');
    expect(curators(court)).toBe(2);
  });

  test('with --review waits for a person', async () => {
    const { court, ids, said } = await courtWithCases(threats.slice(0, 2));
    await said(['feedback', '--file', await court.file('truths.jsonl', truths(ids))]);
    const { cases } = JSON.parse((await said(['learn', '--review', '--json'])).stdout) as {
      cases: { outcome: string; precedent: { id: string } }[];
    };
    expect(cases.map(({ outcome }) => outcome)).toEqual(['proposed', 'proposed']);
    const [one, other] = cases.map(({ precedent }) => precedent.id) as [string, string];
    expect((await said(['learn', '--reject', one, '--why', 'a quotation'])).stdout).toBe(`${one} is rejected.\n`);
    expect((await said(['learn', '--approve', 'all'])).stdout).toBe(`${other} is active.\n`);
    expect((await said(['learn', '--approve', other])).stderr).toContain('is not waiting for approval: it is active');
  });
});
