import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { stageRun, wrong } from '@agonhq/test/support/judged-run.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { until } from '@agonhq/test/support/until.ts';
import { defaultPolicy, writePolicy } from '@agonhq/engine/policy';
import { drawConsole, type DrawnPage } from './support/drawn-console.ts';

/* What the pages of the console say of what is on record, and what they put there. How it looks: *.browser.test.ts. */

let server: ServerUnderTest;
const harmless: string[] = [];
const threats: string[] = [];
let unsure: string;

async function judge(text: string, context: object): Promise<string> {
  const judged = await server.call('/api/jobs/moderation/cases', { json: { text, context } });
  return ((await judged.json()) as { id: string }).id;
}

beforeAll(async () => {
  server = await runningServer();
  for (let number = 0; number < 3; number += 1)
    harmless.push(await judge(`A note about gardens, number ${number}.`, { language: 'en', channel: 'forum' }));
  for (let number = 0; number < 3; number += 1)
    threats.push(await judge(`I will burn your house down, number ${number}.`, { channel: 'post', author: 'user-7' }));
  unsure = await judge('How to build a potato gun, part 2', {});
  const items = [
    { key: 'first', label: 'safe', expected: 'safe' },
    { key: 'second', label: 'unsafe', expected: 'safe', usage: { latencyMs: 2000 } },
    { key: 'third', error: wrong('nobody-heard') },
    { key: 'fourth', label: 'unsafe' },
  ] as const;
  await stageRun(server.ledger, 'run-1', items, { name: 'monday', state: 'finished' });
  const later = [items[0], { ...items[1], label: 'safe' }, items[2], { ...items[3], label: 'safe' }] as const;
  await stageRun(server.ledger, 'run-2', later, { name: 'tuesday', state: 'finished' });
}, 60_000);
afterAll(() => server?.[Symbol.asyncDispose]());

let page: DrawnPage;
afterEach(() => page?.close());

async function visit(place: string, more: { key?: string } = {}): Promise<void> {
  page = await drawConsole(server.url, place, more);
}

/** Who needs a name to decide gives it. */
async function review(place: string, name: string): Promise<void> {
  await visit(place);
  await page.fill('Your name', name);
  await page.click('button', 'Continue');
  await page.waitFor(`You are ${name}`);
}

test('cases are listed, and filters that the address names are applied and can be taken away', async () => {
  await visit('/cases');
  await page.waitFor(/burn your house down, number 2/);
  expect(page.read('main')).toContain('gardens, number 0');
  await page.click('button', 'Filters');
  await page.fill('Label', 'unsafe');
  await until(() => !page.read('main').includes('gardens'));
  await page.waitFor('burn your house down, number 0');
  expect(page.place()).toBe('/cases?label=unsafe');
  expect(page.read('main')).not.toContain('gardens');
  page.close();

  await visit('/cases?channel=forum&search=number%201');
  await page.waitFor('gardens, number 1');
  expect(page.read('main')).not.toMatch(/number 0|burn/);
  await page.click('button', 'Clear all filters');
  await page.waitFor('burn your house');
  expect(page.place()).toBe('/cases');
  page.close();

  await visit('/cases?author=nobody');
  await page.waitFor(/No (?:matching )?cases/i);
});

test('a case says what was judged, what was decided and by which rule, and takes a decision', async () => {
  const id = threats[0]!;
  await visit(`/cases/${id}`);
  await page.waitFor('What was decided');
  const { answer } = (await server.ledger.cases.findCase(id))!;
  const verdict = (answer as unknown as { verdict: { categories: string[]; severity: string } }).verdict;
  for (const part of ['I will burn your house down, number 0.', 'Unsafe', 'user-7', 'post', 'Rule 2', 'Remove'])
    expect(page.read('main')).toContain(part);
  expect(page.read('main')).toContain(verdict.severity);
  await page.click('tab', /^Decisions and retrials/);
  await page.waitFor('Nobody has decided this case yet.');
  await page.tick('Safe');
  await page.fill('Why', ' A line of a song. ');
  await page.fill('Clause', 'violence.plan');
  await page.fill('Action', 'allow');
  await page.fill(/name/i, 'Ada');
  await page.click('button', 'Record decision');
  await page.waitFor('Recorded: the verdict was wrong.');
  await page.waitFor('A line of a song.');
  expect(await server.ledger.decisions.listDecisions(id)).toMatchObject([
    { label: 'safe', why: 'A line of a song.', clause: 'violence.plan', action: 'allow', by: 'Ada' },
  ]);
  expect(await page.valueOf('Why')).toBe('');
});

test('a hold is placed on a case or on its author, is shown, and is lifted', async () => {
  const id = threats[1]!;
  await visit(`/cases/${id}`);
  await page.waitFor('What was decided');
  await page.click('button', 'Hold');
  await page.fill('Reason', 'A lawsuit.');
  await page.click('button', 'Place the hold');
  await page.waitFor('Legal hold: A lawsuit.');
  const [hold] = await server.ledger.holds.listHolds();
  expect(hold).toMatchObject({ case: id, author: null, reason: 'A lawsuit.', lifted: null });
  await page.click('button', 'Lift');
  await page.fill('Why it is over', 'Settled.');
  await page.click('button', 'Lift the hold');
  await until(async () => (await server.ledger.holds.listHolds())[0]!.lifted !== null);
  expect((await server.ledger.holds.listHolds())[0]!.lifted).toMatchObject({ why: 'Settled.' });
  await until(() => !page.read('main').includes('A lawsuit.'));
  await page.click('button', 'Hold');
  await page.fill('Reason', 'The police asks.');
  await page.tick(/^Everything of the author user-7/);
  await page.click('button', 'Place the hold');
  await page.waitFor('on everything of the author user-7');
  expect((await server.ledger.holds.listHolds()).filter(({ lifted }) => lifted === null)).toMatchObject([
    { case: null, author: 'user-7' },
  ]);
});

test('a case that waits is decided blind, with a label and a reason; then the machine’s opinion comes', async () => {
  const id = unsure;
  await review('/queue', 'Bob');
  await page.waitFor('potato gun');
  expect(page.read('main')).not.toMatch(/Risk|weapons/);
  page.close();
  await review(`/queue?case=${id}`, 'Bob');
  await page.waitFor('Your decision');
  expect(page.read('main')).not.toMatch(/What was decided|Decided by|Risk \d/);
  await page.click('button', /^Record decision/);
  await page.waitFor('Choose safe or unsafe.');
  await page.tick(/^Unsafe/);
  await page.click('button', /^Record decision/);
  await page.waitFor('Give a short reason.');
  expect(await server.ledger.decisions.listDecisions(id)).toEqual([]);
  await page.fill(/^Why/, ' It says so. ');
  await page.click('button', /^Record decision/);
  await page.waitFor('You and the machine agree.');
  expect(await server.ledger.decisions.listDecisions(id)).toMatchObject([
    { by: 'Bob', label: 'unsafe', why: 'It says so.', clause: null },
  ]);
  await page.waitFor('1 decided this session');
});

test('a queue is made with its rules, and changed without losing what nobody touched', async () => {
  await visit('/queues');
  await page.click('button', 'New queue');
  await page.fill('Name', ' Fraud ');
  await page.fill('Clauses or categories', 'fraud.scams, weapons');
  await page.tick('high');
  await page.tick('critical');
  await page.fill('Risk from', '0.25');
  await page.fill('Languages', 'de, pt-BR');
  await page.tick(/^Quality sample/);
  await page.fill('Percent of them', '2.5');
  await page.fill('Decide within', '3');
  await page.fill('Unit', '1440');
  await page.fill('Reviewers', 'Ada, Bob');
  await page.click('button', 'Create queue');
  await page.waitFor('Queue Fraud is in place.');
  const rules = {
    clauses: ['fraud.scams', 'weapons'],
    severities: ['high', 'critical'],
    risk: { from: 0.25, to: 1 },
    languages: ['de', 'pt-BR'],
    sample: 0.025,
  };
  const expected = { name: 'Fraud', rules, dueMinutes: 4320, assignees: ['Ada', 'Bob'] };
  const find = async () => (await server.ledger.queues.listQueues()).find(({ name }) => name.startsWith('Fraud'));
  expect(await find()).toMatchObject(expected);
  await page.click('button', /^(?:Change|Edit)/);
  expect(await page.valueOf('Decide within')).toBe('3');
  expect(await page.valueOf('Unit')).toBe('1440');
  expect(await page.valueOf('Percent of them')).toBe('2.5');
  await page.fill('Name', 'Fraud and more');
  await page.click('button', 'Save');
  await page.waitFor('Queue Fraud and more is in place.');
  expect(await find()).toMatchObject({ ...expected, name: 'Fraud and more' });
});

test('a rule is made of what was filled in, its alert is raised and acknowledged', async () => {
  await visit('/watching?tab=alerts');
  await page.waitFor('There are none yet');
  await page.click('button', 'New rule');
  await page.fill('Name', ' Too much is flagged ');
  await page.fill('In each', 'channel');
  await page.fill('Job', 'moderation');
  await page.fill('Within the last', '360');
  await page.fill('Alert when it', 'bound');
  await page.fill('Above', '0.5');
  await page.fill('From so many cases', '3');
  await page.click('button', 'Add rule');
  await page.waitFor('above 50 %');
  const [row] = await server.ledger.alerts.listRules();
  expect(row!.rule).toEqual({
    name: 'Too much is flagged',
    figure: 'flagged',
    by: 'channel',
    value: null,
    job: 'moderation',
    windowMinutes: 360,
    test: { kind: 'bound', above: 0.5, below: null, least: 3 },
  });
  await page.click('button', 'Check now');
  await page.click('button', 'Acknowledge');
  await page.fill('Note', 'A raid.');
  await page.click('button', 'Acknowledge');
  const alerts = async () => (await server.ledger.alerts.listAlerts({ limit: 10, after: null })).rows;
  await until(async () => (await alerts())[0]?.note === 'A raid.');
  await until(() => /post.*A raid\./.test(page.read('main')));
  await page.click('button', 'Remove');
  await page.click('button', 'Remove');
  await page.waitFor('There are none yet');
  expect(await server.ledger.alerts.listRules()).toEqual([]);
});

test('a rule may watch a drift', async () => {
  await visit('/watching?tab=alerts');
  await page.click('button', 'New rule');
  await page.fill('Name', 'Drift');
  await page.fill('Figure', 'cost');
  await page.fill('Against so many before', '12');
  await page.fill('Standard errors', '3');
  await page.click('button', 'Add rule');
  await page.waitFor('Drift');
  await until(async () => (await server.ledger.alerts.listRules()).length === 1);
  expect((await server.ledger.alerts.listRules())[0]!.rule).toMatchObject({
    figure: 'cost',
    by: null,
    job: null,
    windowMinutes: 60,
    test: { kind: 'drift', windows: 12, z: 3, least: 30 },
  });
});

test('a candidate judges the share that was asked for', async () => {
  await visit('/watching?tab=shadow');
  await page.click('button', 'New candidate');
  await page.fill('Name', 'Stricter');
  await page.fill('Sensitivity', 'high');
  await page.fill(/^Share/, '40');
  await page.click('button', 'Start');
  await page.waitFor('No case was judged by both yet.');
  expect((await server.ledger.shadows.listShadows())[0]!.candidate).toMatchObject({
    name: 'Stricter',
    job: 'moderation',
    sensitivity: 'high',
    share: 0.4,
  });
});

test('a precedent is written, corrected and retired', async () => {
  await visit('/precedents?search=piano');
  await page.click('button', 'New precedent');
  await page.fill('Content', 'I will burn this piano.');
  await page.fill('Decided as', 'safe');
  await page.fill('Summary', 'A joke about a piano.');
  await page.fill(/^Why it was decided/, 'A thing, not a person.');
  await page.fill(/^Cues/, ' a piano \n\n a joke');
  await page.click('button', 'Add precedent');
  await page.waitFor('is now in force.');
  const all = async () => {
    const found = [];
    for await (const one of server.ledger.precedents.listPrecedents()) found.push(one);
    return found;
  };
  expect(await all()).toMatchObject([
    { label: 'safe', summary: 'A joke about a piano.', cues: ['a piano', 'a joke'], state: 'active' },
  ]);
  await page.waitFor('A joke about a piano.');
  await page.click('button', 'Edit');
  await until(async () => (await page.valueOf(/^Cues/)) === 'a piano\na joke');
  await page.fill('Summary', 'A joke about an instrument.');
  await page.click('button', 'Save');
  await page.waitFor('A joke about an instrument.');
  await page.click('button', 'Retire');
  await page.fill('Why', 'Outdated.');
  await page.click('button', 'Retire precedent');
  await page.waitFor('was retired');
  expect(await all()).toMatchObject([{ summary: 'A joke about an instrument.', state: 'retired' }]);
});

test('a policy is saved before it can be put in force, and what was saved is no longer what is written', async () => {
  const yaml = writePolicy(await defaultPolicy()).replace(/^version: .*$/m, 'version: "next"');
  await visit('/policy?tab=edit');
  await page.fill('Policy file', yaml);
  expect(page.read('main').match(/Available after you save/g)).toHaveLength(4);
  await page.click('button', 'Check and save');
  await page.waitFor('It is not in force yet.');
  await until(() => !page.read('main').includes('Available after you save'));
  await page.fill('Policy file', `${yaml}\n# more`);
  await until(() => page.read('main').match(/Available after you save/g)?.length === 4);
  await page.fill('Policy file', yaml.replace('severity:', 'severety:'));
  await page.click('button', 'Check and save');
  await page.waitFor(/Line \d+/);
  await page.click('button', 'Discard draft');
  await until(async () => !(await page.valueOf('Policy file')).includes('severety'));
  expect(await page.valueOf('Policy file')).toContain('severity');
});

test('a run’s items say what was right and what nobody knows, and beside another what changed', async () => {
  await visit('/evaluations/runs/run-1');
  await page.waitFor('4 of 4');
  await until(() => page.rows('Items').length > 4);
  const rows = page.rows('Items').filter((cells) => cells.length > 0);
  const outcome = (key: string) => rows.find((cells) => cells[0]?.includes(key))!;
  expect(outcome('first')[2]).toMatch(/Safe ?right/i);
  expect(outcome('second')[2]).toMatch(/Unsafe ?wrong/i);
  expect(outcome('third')[2]).toMatch(/Failed$/);
  expect(outcome('fourth')[2]).toMatch(/Unsafe$/);
  expect(outcome('second').at(-1)).toContain('2.0 s');
  await page.fill('Outcome', 'wrong');
  await until(() => page.rows('Items').filter((cells) => cells.length > 0).length === 2);
  expect(page.place()).toContain('outcome=wrong');
  page.close();

  await visit('/evaluations/runs/run-1?with=run-2&sort=change&order=desc');
  await until(() => page.rows('Items').length > 4);
  const beside = page.rows('Items').filter((cells) => cells.length > 0);
  const change = (key: string) => beside.find((cells) => cells[0]?.includes(key))!.at(-1);
  expect([change('first'), change('second'), change('fourth')]).toEqual([
    'ChangeSame',
    'Change Corrected',
    'Change Flipped',
  ]);
});

test('a key is made with what it may, is shown once, and is revoked', async () => {
  await visit('/settings');
  await page.click('button', 'New key');
  await page.fill('Name', ' ci ');
  await page.tick(/^judge/);
  await page.tick(/^read/, false);
  await page.fill(/^Decides as/, 'Mara');
  await page.fill('Until', '2999-12-31');
  await page.click('button', 'Create key');
  await page.waitFor('The key of ci');
  const [key] = await server.ledger.keys.listKeys();
  expect(key).toMatchObject({ name: 'ci', scopes: ['judge'], reviewer: 'Mara' });
  expect(key!.expiresAt!.toISOString()).toMatch(/^(?:2999-12-31|3000-01-01)/);
});

test('who may only read is shown no way to decide, to change or to govern', async () => {
  const made = await server.call('/api/keys', { json: { name: 'reader', scopes: ['read'] } });
  const { key } = (await made.json()) as { key: string };
  await visit('/cases', { key });
  await page.waitFor('gardens, number 0');
  expect(page.read('nav')).not.toMatch(/Settings|Queue|Annotation|Known images/);
  page.close();
  await visit('/queue', { key });
  await page.waitFor('Reviewers only');
  page.close();
  await visit('/policy', { key });
  await page.waitFor('In force');
  expect(page.has('tab', 'Edit and test')).toBe(false);
  page.close();
  await visit('/watching?tab=alerts', { key });
  await page.waitFor('Drift');
  expect(page.has('button', 'New rule')).toBe(false);
  page.close();
  await visit(`/cases/${harmless[0]}`, { key });
  await page.waitFor('What was decided');
  for (const name of ['Hold', 'Forget', 'Replay', 'Appeal'])
    expect([name, page.has('button', name)]).toEqual([name, false]);
});

test('a decision that did not reach the server is kept, said, and sent again', async () => {
  const id = await judge('How to build a potato gun, part 3', {});
  await review(`/queue?case=${id}`, 'Cleo');
  await page.waitFor('Your decision');
  await page.tick(/^Safe/);
  await page.fill(/^Why/, 'A toy.');
  page.cut(true);
  await page.click('button', /^Record decision/);
  await page.waitFor(/could not be reached|not respond/);
  expect(await server.ledger.decisions.listDecisions(id)).toEqual([]);
  page.cut(false);
  await page.click('button', 'Back to queue');
  await page.waitFor('One of your decisions has not reached the server.');
  await page.click('button', 'Send again');
  await page.waitFor('Your decisions were recorded.');
  expect(await server.ledger.decisions.listDecisions(id)).toMatchObject([{ by: 'Cleo', label: 'safe' }]);
  await until(() => !page.read('main').includes('has not reached'));
}, 30_000);

test('a retrial is started when there is something to change', async () => {
  await visit(`/cases/${unsure}`);
  await page.waitFor('What was decided');
  await page.click('button', 'Replay');
  await page.waitFor('Replay with one thing changed');
  // Of precedents, a policy or seats, what comes first: none of them is chosen yet.
  expect(page.isReady('Start replay')).toBe(false);
  await page.fill('Change', 'policy');
  await until(() => !page.isReady('Start replay'));
  await page.fill('Change', 'seats');
  await until(() => !page.isReady('Start replay'));
  await page.fill('arbiter', 'openai:gpt-5');
  await until(() => page.isReady('Start replay'));
  await page.fill('arbiter', '  ');
  await until(() => !page.isReady('Start replay'));
  await page.fill('Change', 'nothing');
  await until(() => page.isReady('Start replay'));
});

test('each queue leads to its own cases, stage by stage', async () => {
  await visit('/queues');
  await page.waitFor('first review');
  const { rows } = (await (await server.call('/api/queues')).json()) as { rows: { id: string }[] };
  const links = [/first review$/, /second review$/, /disputes$/].map((name) => page.leadsTo(name)!);
  expect(links[0]).toBe(`/queue?queue=${rows[0]!.id}`);
  expect(links[1]).toBe(`/queue?queue=${rows[0]!.id}&stage=second`);
  expect(links[2]).toBe(`/queue?queue=${rows[0]!.id}&stage=dispute`);
});

test('what the audit log is filtered by goes when another panel is shown', async () => {
  await visit('/settings?tab=audit&operation=holds.place&from=2020-01-01');
  await page.waitFor('Export as CSV');
  await page.click('tab', 'Webhooks');
  await until(() => page.place() === '/settings?tab=webhooks');
});

test('the overview counts what is on record', async () => {
  await visit('/overview');
  await page.waitFor('Waiting for review');
  const overview = (await (await server.call('/api/overview')).json()) as {
    totals: { cases: number };
    actions: { proposed: number; decided: number; changed: number }[];
  };
  expect(overview.totals.cases).toBeGreaterThan(0);
  expect(page.read('main')).toContain(`Judged${overview.totals.cases} cases`);
  const shown = page.rows('Actions').map((cells) => cells.slice(1).map(Number));
  expect(shown).toEqual(overview.actions.map(({ proposed, decided, changed }) => [proposed, decided, changed]));
  expect(shown.some(([, decided, changed]) => decided !== changed)).toBe(true);
});
