import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdCase, openedCase } from '@agonhq/test/support/ledger-cases.ts';
import { openNewLedger } from '@agonhq/test/support/new-ledger.ts';
import type { Ledger } from '../index.ts';
import type { Verdict } from '@agonhq/engine/debate';
import { countFigures } from './count-figures.ts';
import { listStatements, renderStatementsCsv, stateReasons } from './list-statements.ts';
import { renderFigures } from './render-figures.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-transparency-'));
const file = path.join(folder, 'ledger.sqlite');
let ledger: Ledger;
const clause = { id: 'chemicals', clause: 'chemicals.toxic-mixtures' };
const policy = {
  ...openedCase('').policy,
  document: {
    name: 'house rules',
    version: '3',
    categories: [
      {
        id: 'chemicals',
        title: 'Dangerous chemicals',
        clauses: [{ id: 'chemicals.toxic-mixtures', text: 'No recipes for toxic gases.', severity: 'high' }],
      },
    ],
    actions: { 'age-gate': 'Your content is shown to adults only.' },
  },
};

interface Made {
  id: string;
  verdict: Partial<Verdict>;
  /** Minutes after midnight of 2 October 2026. */
  opened: number;
  closed: number;
  language?: string;
  channel?: string;
  again?: { of: string; how: 'appeal' | 'replay' };
  decision?: { label: 'safe' | 'unsafe'; at: number; action?: string; clause?: string; by?: string };
}

const unsafe = {
  label: 'unsafe',
  escalate: false,
  categories: [clause],
  severity: 'high',
  score: 0.99,
  confidence: 0.99,
} as Partial<Verdict>;
const safe = {
  ...unsafe,
  label: 'safe',
  action: 'allow',
  severity: null,
  categories: [],
  score: 0.01,
} as Partial<Verdict>;

/* Counted by hand: what comes of each is written behind it. */
const cases: readonly Made[] = [
  { id: 'case-01', verdict: { ...unsafe, action: 'remove' }, opened: 0, closed: 1, language: 'de', channel: 'forum' }, // removed by the machine, 60 s
  { id: 'case-02', verdict: { ...unsafe, action: 'restrict' }, opened: 0, closed: 2, language: 'de', channel: 'forum' }, // restricted by the machine, 120 s
  { id: 'case-03', verdict: safe, opened: 0, closed: 3, language: 'en', channel: 'chat' }, // allowed by the machine, 180 s
  { id: 'case-04', verdict: { ...unsafe, action: 'warn' }, opened: 0, closed: 4 }, // warned by the machine, 240 s, no statement
  {
    id: 'case-05',
    verdict: { ...unsafe, action: 'remove' },
    opened: 0,
    closed: 1,
    language: 'en',
    decision: { label: 'unsafe', at: 10 },
  }, // removed by a person who agrees, 600 s
  {
    id: 'case-06',
    verdict: { ...unsafe, action: 'remove' },
    opened: 0,
    closed: 1,
    decision: { label: 'safe', at: 20 },
  }, // allowed by a person against the machine, 1200 s
  {
    id: 'case-07',
    verdict: safe,
    opened: 0,
    closed: 1,
    decision: { label: 'unsafe', at: 30, action: 'age-gate', clause: 'chemicals.toxic-mixtures' },
  }, // age-gated by a person against the machine, 1800 s
  {
    id: 'case-08',
    verdict: { ...unsafe, label: 'undecided', action: 'escalate', escalate: true },
    opened: 0,
    closed: 5,
  }, // waits for a person
  { id: 'case-09', verdict: safe, opened: 0, closed: 1, again: { of: 'case-01', how: 'appeal' } }, // overturns case-01
  {
    id: 'case-10',
    verdict: { ...unsafe, action: 'remove' },
    opened: 0,
    closed: 1,
    again: { of: 'case-02', how: 'appeal' },
  }, // upholds case-02
  { id: 'case-11', verdict: safe, opened: 0, closed: 1, again: { of: 'case-01', how: 'replay' } }, // no decision
  { id: 'case-12', verdict: { ...unsafe, action: 'remove' }, opened: -3000, closed: -2999 }, // the month before
  {
    id: 'case-13',
    verdict: { ...unsafe, action: 'remove' },
    opened: -3000,
    closed: -2999,
    decision: { label: 'unsafe', at: 5 },
  }, // of the month before, decided in this one, 180,300 s
  { id: 'case-14', verdict: safe, opened: 0, closed: 1, decision: { label: 'unsafe', at: 2, by: 'dataset:labels' } }, // allowed by the machine, 60 s: labelled data decides nothing
];

const at = (minutes: number) => new Date(Date.UTC(2026, 9, 2) + minutes * 60_000);
const october = { from: new Date('2026-10-01T00:00:00Z'), to: new Date('2026-11-01T00:00:00Z') };

beforeAll(async () => {
  ledger = await openNewLedger(file);
  for (const { id, verdict, language, channel, again, decision } of cases) {
    const context = { ...(language && { language }), ...(channel && { channel }) };
    const text = again ? `What was said in ${again.of}.` : `What was said in ${id}.`;
    await holdCase(ledger, openedCase(id, { text, context, policy, again: again ?? null }), verdict);
    if (decision)
      await ledger.decisions.recordDecision(
        { case: id, by: 'mara', ...decision, at: at(decision.at) },
        { secondReview: 'never' },
      );
  }
  // At the times of above; only what the machine left open waits, whatever else it was unsure of.
  const database = new DatabaseSync(file);
  database.exec("update listing set stage = null where stage = 'first' and label <> 'undecided'");
  for (const { id, opened, closed } of cases) {
    const [from, to] = [at(opened).toISOString(), at(closed).toISOString()];
    database.exec(`update listing set opened_at = '${from}' where id = '${id}';
      update debates set opened_at = '${from}' where id = '${id}'; update verdicts set closed_at = '${to}' where debate = '${id}'`);
  }
  database.close();
});
afterAll(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the figures of a time', () => {
  test('are those that were counted by hand', async () => {
    expect(await countFigures(ledger, october)).toEqual({
      version: 1,
      from: '2026-10-01T00:00:00.000Z',
      to: '2026-11-01T00:00:00.000Z',
      decided: 9,
      waiting: 1,
      byAction: { allow: 3, remove: 3, 'age-gate': 1, restrict: 1, warn: 1 },
      byClause: { 'chemicals.toxic-mixtures': 6 },
      // What names none is told by its words.
      byLanguage: { en: 7, de: 2 },
      bySource: { unknown: 6, forum: 2, chat: 1 },
      automated: 5,
      byPeople: 4,
      statements: 5,
      appeals: { decided: 2, waiting: 0, upheld: 1, overturned: 1, unknown: 0 },
      secondsToDecide: { median: 240, automated: 120, byPeople: 1500 },
      errors: {
        contradicted: { count: 2, of: 4, share: 0.5 },
        contradictedInSample: { count: 0, of: 0, share: null },
        wronglyUnsafe: { count: 1, of: 3, share: 1 / 3 },
        wronglySafe: { count: 1, of: 1, share: 1 },
      },
    });
  });

  test('name first what came up most, and by name what came up as often', async () => {
    const { byAction, byLanguage, bySource } = await countFigures(ledger, october);
    expect(Object.keys(byAction)).toEqual(['allow', 'remove', 'age-gate', 'restrict', 'warn']);
    expect(Object.keys(byLanguage)).toEqual(['en', 'de']);
    expect(Object.keys(bySource)).toEqual(['unknown', 'forum', 'chat']);
  });

  test('are all nought where nothing was decided', async () => {
    const empty = await countFigures(ledger, { from: new Date('2020-01-01'), to: new Date('2020-02-01') });
    expect(empty).toMatchObject({ decided: 0, byAction: {}, secondsToDecide: { median: null } });
  });

  test('say the same as JSON, as a table, in Markdown and on a page', async () => {
    const figures = await countFigures(ledger, october);
    expect(JSON.parse(renderFigures(figures, 'json'))).toEqual(figures);
    expect(renderFigures(figures, 'csv')).toContain('by action,age-gate,1\n');
    expect(renderFigures(figures, 'markdown')).toContain('| `verdicts decided otherwise` | 2 of 4 (50.0 %) |');
    expect(renderFigures(figures, 'html')).toMatch(/<th scope="row">overturned<\/th>\s*<td class="number">1<\/td>/);
  });
});

describe('statements of reasons', () => {
  const listed = async (options = {}) => {
    const all = [];
    for await (const one of listStatements(ledger, october, options)) all.push(one);
    return all;
  };

  test('are made for every decision of the time that restricts content, and for no other', async () => {
    expect((await listed()).map((one) => [one.case, one.statement.decision_visibility])).toEqual([
      ['case-01', ['DECISION_VISIBILITY_CONTENT_REMOVED']],
      ['case-02', ['DECISION_VISIBILITY_CONTENT_DEMOTED']],
      ['case-05', ['DECISION_VISIBILITY_CONTENT_REMOVED']],
      ['case-07', ['DECISION_VISIBILITY_OTHER']],
      ['case-13', ['DECISION_VISIBILITY_CONTENT_REMOVED']],
    ]);
  });

  test('say what is known, and of the rest that it is not', async () => {
    const { statement, notKnown, decidedAt } = await stateReasons(ledger, 'case-01');
    expect(decidedAt).toBe(at(1).toISOString());
    expect(statement).toMatchObject({
      puid: 'case-01',
      decision_ground: 'DECISION_GROUND_INCOMPATIBLE_CONTENT',
      incompatible_content_ground: 'house rules, version 3: Dangerous chemicals (chemicals.toxic-mixtures)',
      incompatible_content_explanation: 'chemicals.toxic-mixtures: No recipes for toxic gases.',
      content_language: 'DE',
      application_date: '2026-10-02',
      automated_decision: 'AUTOMATED_DECISION_FULLY',
    });
    expect(notKnown).toEqual([
      'decision_ground_reference_url',
      'incompatible_content_illegal',
      'category',
      'content_date',
      'territorial_scope',
      'end_date_visibility_restriction',
      'source_type',
      'automated_detection',
    ]);
    for (const name of notKnown) expect(statement).not.toHaveProperty(name);
  });

  test('of what a person decided name the person’s clause and action, and no evidence for another verdict', async () => {
    const { statement } = await stateReasons(ledger, 'case-07');
    expect(statement).toMatchObject({
      puid: expect.stringMatching(/^dec-/) as string,
      decision_visibility_other: 'Your content is shown to adults only.',
      automated_decision: 'AUTOMATED_DECISION_PARTIALLY',
      decision_facts:
        'A person decided, after an automated review that had come to another result. The decision is based on the ' +
        'content as a whole.',
    });
  });

  test('take from the settings what only the service knows', async () => {
    const settings = {
      territorialScope: ['EU'],
      source: 'SOURCE_VOLUNTARY' as const,
      automatedDetection: true,
      rulesUrl: 'https://example.org/rules',
      categories: { chemicals: 'STATEMENT_CATEGORY_SCOPE_OF_PLATFORM_SERVICE' },
      visibility: { 'age-gate': 'DECISION_VISIBILITY_CONTENT_AGE_RESTRICTED' as const },
    };
    const { statement, notKnown } = await stateReasons(ledger, 'case-01', { settings });
    expect(statement).toMatchObject({
      territorial_scope: ['EU'],
      source_type: 'SOURCE_VOLUNTARY',
      automated_detection: 'Yes',
      category: 'STATEMENT_CATEGORY_SCOPE_OF_PLATFORM_SERVICE',
    });
    expect(notKnown).toEqual(['incompatible_content_illegal', 'content_date', 'end_date_visibility_restriction']);
    expect((await stateReasons(ledger, 'case-07', { settings })).statement.decision_visibility).toEqual([
      'DECISION_VISIBILITY_CONTENT_AGE_RESTRICTED',
    ]);
  });

  test('quote nothing, unless somebody asks for it', async () => {
    const quote = (await ledger.cases.findCase('case-01'))!.answer!.verdict.evidence.find(
      ({ verified }) => verified,
    )!.quote;
    const facts = async (quotes: boolean) =>
      String((await stateReasons(ledger, 'case-01', { quotes })).statement.decision_facts);
    expect(await facts(false)).not.toContain(quote);
    expect(await facts(true)).toContain(quote);
  });

  test.each([
    ['case-03', /restricts nothing/],
    ['case-04', /warn/],
    ['case-08', /a person is still to decide/],
    ['case-09', /hears case-01 on appeal/],
    ['case-11', /a replay/],
    ['no-case', /no verdict/],
  ])('are refused for %s, with the reason', async (id, reason) => {
    await expect(stateReasons(ledger, id)).rejects.toMatchObject({
      code: 'no-statement',
      message: expect.stringMatching(reason) as string,
    });
  });

  test('are a table that no spreadsheet computes', async () => {
    const lines: string[] = [];
    for await (const line of renderStatementsCsv(listStatements(ledger, october))) lines.push(line);
    expect(lines).toHaveLength(6);
    expect(lines[0]).toMatch(/^case,seal,decided_at,puid,decision_visibility,/);
    expect(lines[1]).toMatch(
      /^case-01,sha256:\w+,2026-10-02T00:01:00.000Z,case-01,DECISION_VISIBILITY_CONTENT_REMOVED,/,
    );
    expect(lines[1]).toMatch(/source_type automated_detection\n$/);
  });
});
