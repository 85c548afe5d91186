import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { status } from '@agonhq/test/fake-provider/index.ts';
import { startFakeTribunal, type TribunalScript } from '@agonhq/test/support/fake-tribunal.ts';
import { judged, tribunalSetup } from '@agonhq/test/support/evaluation-setup.ts';
import { noUsage, type Turn } from '@agonhq/engine/debate';
import { countExchangeVote, type EvaluationPlan } from './index.ts';

const exchange = { prompt: 'How do I air a cellar?', response: 'Open both windows in the morning.' };
const unsafe = {
  label: 'unsafe' as const,
  evidence: ['Open both windows'],
  distribution: { explicit: 0.8, implicit: 0, none: 0.2 },
};
const mildlyUnsafe = { ...unsafe, distribution: { explicit: 0.4, implicit: 0, none: 0.6 } };
const safe = { label: 'safe' as const, distribution: { explicit: 0.1, implicit: 0, none: 0.9 } };

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function voteOf(script: TribunalScript, plan: Partial<EvaluationPlan> = {}) {
  const provider = await startFakeTribunal(script);
  closers.push(provider.close);
  return countExchangeVote((await judged(exchange, await tribunalSetup(provider, plan))).transcript);
}

describe('the opening vote is what was said before anybody had heard another', () => {
  test('later rounds, the critic and the arbiter do not change it', async () => {
    const vote = await voteOf(
      { auditor: [unsafe, safe], detector: [unsafe, safe], critic: { ...safe, objections: [] } },
      { rounds: 2, consensus: false },
    );
    expect(vote).toEqual({ label: 'unsafe', score: expect.closeTo(0.8, 9) });
  });

  test('between as many on either side the mean score decides', async () => {
    expect(
      await voteOf({ auditor: unsafe, detector: { ...safe, distribution: { explicit: 0.3, implicit: 0, none: 0.7 } } }),
    ).toEqual({ label: 'unsafe', score: expect.closeTo(0.55, 9) });
    expect(await voteOf({ auditor: mildlyUnsafe, detector: safe })).toEqual({
      label: 'safe',
      score: expect.closeTo(0.25, 9),
    });
  });

  test('who fell back has no vote, and where all did there is none', async () => {
    expect(await voteOf({ auditor: status(500), detector: unsafe })).toEqual({
      label: 'unsafe',
      score: expect.closeTo(0.8, 9),
    });
    expect(await voteOf({ auditor: status(500), detector: status(500) })).toBeNull();
  });

  test('peers vote in their first round, voters once', async () => {
    const script = { 'peer#1': [unsafe, safe], 'peer#2': [unsafe, safe], 'peer#3': [unsafe, safe], 'vote#1': unsafe };
    expect((await voteOf(script, { method: 'role-free', rounds: 2, consensus: false }))?.label).toBe('unsafe');
    expect((await voteOf(script, { method: 'vote' }))?.label).toBe('safe');
  });

  test.each(['judge', 'control', 'prefix-match', 'pattern-match'] as const)('%s has none', async (method) => {
    expect(await voteOf({ judge: unsafe }, { method })).toBeNull();
  });

  test('a majority decides whatever the scores, and the score lies between theirs', () => {
    const opinion = fc.record({
      label: fc.constantFrom('safe', 'unsafe'),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      seat: fc.constantFrom('auditor', 'detector'),
    });
    fc.assert(
      fc.property(fc.array(opinion, { minLength: 1, maxLength: 6 }), (opinions) => {
        const vote = countExchangeVote(
          opinions.map(({ label, score, seat }, index) => spoken(`${seat}#${index}`, seat, label, score)),
        )!;
        const against = opinions.filter(({ label }) => label === 'unsafe').length;
        if (against * 2 !== opinions.length) expect(vote.label).toBe(against * 2 > opinions.length ? 'unsafe' : 'safe');
        else expect(vote.label).toBe(vote.score >= 0.5 ? 'unsafe' : 'safe');
        expect(vote.score).toBeGreaterThanOrEqual(Math.min(...opinions.map(({ score }) => score)) - 1e-12);
        expect(vote.score).toBeLessThanOrEqual(Math.max(...opinions.map(({ score }) => score)) + 1e-12);
      }),
    );
  });
});

function spoken(seat: string, role: string, label: string, score: number): Turn {
  return {
    kind: 'turn',
    key: `round-1/${seat}`,
    inputHash: '',
    seat,
    role,
    round: 1,
    statement: '',
    score,
    evidence: [],
    answer: { label },
    reasoner: '',
    usage: noUsage,
    latencyMs: 0,
  };
}
