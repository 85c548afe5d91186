import { expect, test } from 'vitest';
import { checkRecord, mostMemory, type FoundTown } from './check-record.ts';
import { emptyRecord, type FoundLedger, type ServedCall, type StruckBlow, type TownRecord } from './record.ts';

/* A checker that finds nothing is worth nothing: each invariant, broken by hand, must be reported. */

const itemsAtOnce = 6;

function call(more: Partial<ServedCall> = {}): ServedCall {
  return { act: 2, item: 0, by: 'ann', asked: 'a', startedAt: 1_000, endedAt: 1_050, outcome: 'good', usd: 1, ...more };
}

function blow(more: Partial<StruckBlow> = {}): StruckBlow {
  return { at: 0, kind: 'kill', target: 'ann', forMs: 0, detail: '', from: 1_020, to: 1_030, missed: null, ...more };
}

const nothing = (): FoundLedger => ({ cases: {}, runs: {}, allRuns: [], judging: [], audit: [] });

/** A town in which everything held: a verdict, one that was forgotten, a decision, a run with a budget. */
function goodTown() {
  const record: TownRecord = {
    ...emptyRecord(),
    verdicts: [
      { ledger: 'postgres', act: 1, job: 'moderation', case: 'mod-1', seal: 's1', body: 'b1', forget: 'no' },
      {
        ledger: 'postgres',
        act: 3,
        job: 'moderation',
        case: 'mod-3',
        seal: 's3',
        body: 'b3',
        forget: 'acknowledged',
      },
    ],
    decisions: [{ ledger: 'postgres', case: 'mod-1', why: 'because' }],
    runs: [{ ledger: 'postgres', act: 2, run: 'run-1', keys: ['k0', 'k1'], budgetUsd: 5 }],
    calls: [call(), call({ item: 1, asked: 'b', startedAt: 1_100, endedAt: 1_150 })],
    memory: { one: mostMemory / 2 },
  };
  const found: FoundTown = {
    sqlite: nothing(),
    postgres: {
      ...nothing(),
      cases: {
        'mod-1': { status: 200, code: null, seal: 's1', body: 'b1', invalid: [], decisions: ['because', 'another'] },
        'mod-3': { status: 410, code: 'forgotten-case', seal: null, body: null, invalid: [], decisions: [] },
      },
      runs: {
        'run-1': {
          state: 'finished',
          problem: null,
          results: [
            { key: 'k0', case: 'mod-8', error: null },
            { key: 'k1', case: 'mod-9', error: null },
          ],
        },
      },
      allRuns: [
        { run: 'run-1', firstKey: 'k0' },
        { run: 'run-0', firstKey: 'of nobody who was told' },
      ],
    },
  };
  return { record, found };
}

function brokenBy(change: (town: ReturnType<typeof goodTown>) => void): string[] {
  const town = goodTown();
  change(town);
  return checkRecord(town.record, town.found, itemsAtOnce).map(({ invariant }) => invariant);
}

test('a town in which everything held has no breach', () => {
  expect(brokenBy(() => undefined)).toEqual([]);
});

test.each<[string, string, (town: ReturnType<typeof goodTown>) => void]>([
  ['a lost verdict', 'kept', ({ found }) => (found.postgres.cases['mod-1']!.status = 404)],
  ['a verdict with another seal', 'kept', ({ found }) => (found.postgres.cases['mod-1']!.seal = 's2')],
  ['a verdict with other bytes', 'kept', ({ found }) => (found.postgres.cases['mod-1']!.body = 'b2')],
  ['a verdict that nobody looked for', 'kept', ({ found }) => void delete found.postgres.cases['mod-3']],
  ['a lost decision', 'kept', ({ found }) => (found.postgres.cases['mod-1']!.decisions = ['another'])],
  [
    'a decision that was taken twice',
    'kept',
    ({ found }) => (found.postgres.cases['mod-1']!.decisions = ['because', 'because']),
  ],
  ['a lost run', 'kept', ({ found }) => void delete found.postgres.runs['run-1']],
  ['forgotten content that is back', 'forgotten', ({ found }) => (found.postgres.cases['mod-3']!.status = 200)],
  ['an answer that does not verify', 'seals', ({ found }) => (found.postgres.cases['mod-1']!.invalid = ['seal: no'])],
  ['a ledger that was rewritten', 'seals', ({ found }) => (found.postgres.audit = ['1 of 14 are not as they were'])],
  ['an overspent budget', 'budget', ({ record }) => (record.runs[0]!.budgetUsd = 1.99)],
  ['a run that does not end', 'ends', ({ found }) => (found.postgres.runs['run-1']!.state = 'running')],
  ['a case that does not end', 'ends', ({ found }) => (found.postgres.judging = ['mod-7'])],
  ['a process out of bounds', 'memory', ({ record }) => (record.memory['two'] = mostMemory + 1)],
  [
    'a process that fell over',
    'alive',
    ({ record }) => record.problems.push({ process: 'two', what: 'ended', stderr: '' }),
  ],
  [
    'what was seen while it went on',
    'answers',
    ({ record }) => record.seen.push({ invariant: 'answers', what: '500' }),
  ],
])('%s is reported', (_, invariant, change) => {
  expect(brokenBy(change)).toEqual([invariant]);
});

test('an item that was judged twice, that was not judged, and one case for two items are reported', () => {
  const results = [
    { key: 'k0', case: 'mod-8', error: null },
    { key: 'k0', case: 'mod-9', error: null },
  ];
  expect(brokenBy(({ found }) => (found.postgres.runs['run-1']!.results = results))).toEqual(['once', 'once']);
  const same = results.map((result, item) => ({ ...result, key: `k${item}`, case: 'mod-8' }));
  expect(brokenBy(({ found }) => (found.postgres.runs['run-1']!.results = same))).toEqual(['once']);
  const failed = [results[0]!, { key: 'k1', case: null, error: 'worker-died' }];
  expect(brokenBy(({ found }) => (found.postgres.runs['run-1']!.results = failed))).toEqual(['once']);
});

test('a request that made two runs is reported', () => {
  expect(
    brokenBy(({ found }) => (found.postgres.allRuns = [...found.postgres.allRuns, { run: 'run-2', firstKey: 'k0' }])),
  ).toEqual(['once']);
});

test('a run whose budget is spent may leave items, one without a budget may not', () => {
  const spent = { state: 'stopped', problem: 'No more. (budget-spent)', results: [] };
  expect(brokenBy(({ found }) => (found.postgres.runs['run-1'] = spent))).toEqual([]);
  expect(
    brokenBy(({ found, record }) => {
      found.postgres.runs['run-1'] = spent;
      record.runs[0]!.budgetUsd = null;
    }),
  ).toEqual(['ends', 'once', 'once']);
});

test('what was answered may be asked for again where whoever asked was struck, and nowhere else', () => {
  const again = call({ by: 'ben', startedAt: 40_000, endedAt: 40_050 });
  const asked = (...blows: StruckBlow[]) =>
    brokenBy(({ record }) => {
      record.calls.push(again);
      record.blows.push(...blows);
    });
  expect(asked()).toEqual(['paid']);
  expect(asked(blow())).toEqual([]);
  expect(asked(blow({ kind: 'black-hole', target: 'ann>postgres' }))).toEqual([]);
  expect(asked(blow({ kind: 'full-disk', target: 'postgres' }))).toEqual([]);
  expect(asked(blow({ kind: 'cut', target: 'all>provider' }))).toEqual([]);
  expect(asked(blow({ missed: 'ann was down' }))).toEqual(['paid']);
  expect(asked(blow({ target: 'two' }))).toEqual(['paid']);
  expect(asked(blow({ from: 50_000, to: 50_001 })), 'struck after it was asked again').toEqual(['paid']);
  expect(asked(blow({ from: -20_000, to: -10_000 })), 'healed before it was asked').toEqual(['paid']);
  expect(asked(blow({ kind: 'provider', target: 'broken' }))).toEqual(['paid']);
});

test('what was garbage, refused or cut may be asked for again', () => {
  for (const outcome of ['garbage', 'refused', 'cut', 'hung'] as const)
    expect(brokenBy(({ record }) => record.calls.unshift(call({ outcome, usd: 0 })))).toEqual([]);
});
