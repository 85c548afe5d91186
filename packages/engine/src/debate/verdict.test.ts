import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addUsage,
  closeVerdict,
  contradictsScore,
  listDegradations,
  noUsage,
  sumUsage,
  type Ruling,
  type Turn,
  type Usage,
} from './index.ts';

const rule = { id: 'rule-1', why: 'It says so.' };
const unsafe: Ruling = { label: 'unsafe', score: 0.9, rule };
const safe: Ruling = { label: 'safe', score: 0.1, rule };
const parts = { transcript: [], at: 'arbiter', isContradicted: false };

function turnOf(key: string, overrides: Partial<Turn> = {}): Turn {
  return {
    kind: 'turn',
    key,
    inputHash: 'sha256:1',
    seat: key,
    role: key,
    round: null,
    statement: '',
    score: null,
    evidence: [],
    answer: {},
    reasoner: 'test:a',
    usage: noUsage,
    latencyMs: 0,
    ...overrides,
  };
}

describe('a verdict goes to a person', () => {
  test('not by itself', () => {
    for (const ruling of [unsafe, safe]) expect(closeVerdict(ruling, parts).escalate).toBe(false);
  });

  test.each<[string, Ruling, Partial<Parameters<typeof closeVerdict>[1]>]>([
    ['where nothing was decided', { ...unsafe, label: 'undecided' }, {}],
    ['where its rule asks for one', { ...safe, escalate: true }, {}],
    ['where its score speaks against it', unsafe, { isContradicted: true }],
    ['where the policy asks for one', unsafe, { proposeAction: () => ({ action: 'escalate' }) }],
    ['where the risk was confirmed under no clause', { ...unsafe, clauses: [] }, {}],
    [
      'where no clause that was named is in the policy',
      { ...unsafe, clauses: ['Z9'] },
      { nameClauses: () => ({ categories: [], unknown: ['Z9'] }) },
    ],
    ['where its risk is in doubt', unsafe, { calibration: { a: 1, b: 0, band: [0.8, 0.95] } }],
  ])('%s', (_, ruling, more) => {
    expect(closeVerdict(ruling, { ...parts, ...more }).escalate).toBe(true);
  });
});

describe('a verdict says', () => {
  test('its risk and bar where a score is a risk, and neither where nobody was heard or it is none', () => {
    expect(closeVerdict(unsafe, { ...parts, calibration: null })).toMatchObject({ risk: 0.9, bar: 0.5 });
    expect(closeVerdict(unsafe, parts)).toMatchObject({ risk: null, bar: null });
    expect(closeVerdict({ ...unsafe, score: null }, { ...parts, calibration: null })).toMatchObject({
      risk: null,
      bar: null,
    });
  });

  test('the clauses that the policy has, what follows from them, and which it does not have', () => {
    const category = { clause: 'S1', category: 'violence' } as never;
    const asked: unknown[] = [];
    const verdict = closeVerdict(
      { ...unsafe, clauses: ['S1', 'Z9'] },
      {
        ...parts,
        nameClauses: () => ({ categories: [category], unknown: ['Z9'] }),
        proposeAction: (clauses) => (asked.push(clauses), { action: 'remove', severity: 'high' }),
      },
    );
    expect(asked).toEqual([['S1']]);
    expect(verdict).toMatchObject({ categories: [category], action: 'remove', severity: 'high', escalate: false });
    expect(verdict.degraded).toEqual([{ kind: 'unknown-clause', at: 'arbiter', detail: 'not in the policy: Z9' }]);
    // Nobody could name any: that is not the same as none.
    closeVerdict(unsafe, { ...parts, proposeAction: (clauses) => (asked.push(clauses), {}) });
    expect(asked[1]).toBeNull();
  });

  test('what went less well before the debate, in it and after it, in this order', () => {
    const before = { kind: 'cut-text', at: 'preprocessor', detail: 'half' };
    const transcript = [turnOf('a', { fallback: { reason: 'timeout', detail: 'late' } })];
    expect(
      closeVerdict(unsafe, { ...parts, transcript, degraded: [before], isContradicted: true }).degraded.map(
        ({ kind }) => kind,
      ),
    ).toEqual(['cut-text', 'fallback', 'score-contradicts-rule']);
  });
});

test('whatever went less well in a debate is listed, each with its turn', () => {
  const struck = { quote: 'x', verified: false } as never;
  const sound = { quote: 'y', source: 'text', start: 0, end: 1, verified: true } as never;
  expect(
    listDegradations([
      turnOf('a', { evidence: [struck, sound, struck] }),
      turnOf('b', { fallback: { reason: 'timeout', detail: 'late' } }),
      turnOf('c', { fallback: { reason: 'refused', detail: '' } }),
      turnOf('d', { unjudged: ['S1', 'S2'], evidence: [sound] }),
      turnOf('e', { cut: 'the last page' }),
      { kind: 'stop', key: 'stop', round: 1, reason: 'agreed' },
    ]),
  ).toEqual([
    { kind: 'fallback', at: 'b', detail: 'timeout: late' },
    { kind: 'fallback', at: 'c', detail: 'refused' },
    { kind: 'struck-evidence', at: 'a', detail: '2 quote(s) found in no source' },
    { kind: 'unjudged-clause', at: 'd', detail: 'test:a cannot tell reliably: S1, S2' },
    { kind: 'cut-prompt', at: 'e', detail: 'test:a: the last page' },
  ]);
});

test('a score speaks against a label from the other side of one half alone', () => {
  const cases = [
    ['unsafe', 0.49, true],
    ['unsafe', 0.5, false],
    ['safe', 0.5, false],
    ['safe', 0.51, true],
    ['undecided', 0.9, false],
    ['undecided', 0.1, false],
    ['safe', null, false],
  ] as const;
  for (const [label, score, contradicts] of cases) expect(contradictsScore(label, score)).toBe(contradicts);
});

describe('what answers cost', () => {
  const usages = fc.record({
    calls: fc.nat(9),
    inputTokens: fc.nat(999),
    outputTokens: fc.nat(999),
    cachedTokens: fc.nat(99),
    costUsd: fc.option(fc.nat(64), { nil: null }),
  });

  test('law: the whole is the sum of its seats, and of its models; unknown where any price is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('m', 'n'), usages), { maxLength: 8 }),
        (spoken) => {
          const turns = spoken.map(([seat, reasoner, usage], index) =>
            turnOf(`${seat}-${index}`, { seat, reasoner, usage }),
          );
          const { byModel, bySeat, latencyMs, ...whole } = sumUsage(turns, 17);
          const sum = (rows: Record<string, Usage>) => Object.values(rows).reduce(addUsage, noUsage);
          expect(sum(byModel)).toEqual(whole);
          expect(sum(bySeat)).toEqual(whole);
          expect(Object.keys(byModel).toSorted()).toEqual([...new Set(spoken.map(([, one]) => one))].toSorted());
          expect(Object.keys(bySeat).toSorted()).toEqual([...new Set(spoken.map(([one]) => one))].toSorted());
          expect(latencyMs).toBe(17);
          for (const field of ['calls', 'inputTokens', 'outputTokens', 'cachedTokens'] as const)
            expect(whole[field]).toBe(spoken.reduce((total, [, , usage]) => total + usage[field], 0));
          expect(whole.costUsd).toBe(
            spoken.some(([, , { costUsd }]) => costUsd === null)
              ? null
              : spoken.reduce((total, [, , { costUsd }]) => total + costUsd!, 0),
          );
        },
      ),
      { numRuns: 60 },
    );
  });
});
