import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noUsage, type Turn } from '@agonhq/engine/debate';
import { verifyQuotes } from '@agonhq/engine/evidence';
import { defaultPolicy } from '@agonhq/engine/policy';
import { adjudicateContent } from './adjudicate.ts';
import type { ModerationMethod } from './plan.ts';

const sources = [{ id: 'text', text: 'Leave the back door open tonight.' }];
const policy = await defaultPolicy();

const adjudicateVotes = (transcript: readonly Turn[], method: ModerationMethod) =>
  adjudicateContent(transcript, { sources, modality: 'text', images: [] }, { policy, method });

interface Vote {
  score: number;
  heard: boolean;
}

function cast({ score, heard }: Vote, index: number, round: number | null = null): Turn {
  const seat = round === null ? `vote#${index + 1}` : 'control';
  return {
    kind: 'turn',
    key: round === null ? seat : `round-${round}/control`,
    inputHash: '',
    seat,
    role: 'judge',
    round,
    statement: '',
    score,
    evidence: verifyQuotes(['back door'], sources),
    reasoner: 'x:y',
    usage: noUsage,
    latencyMs: 0,
    answer: { statement: '', evidence: ['back door'], clauses: [], score },
    ...(heard ? {} : { fallback: { reason: 'timeout' as const, detail: '' } }),
  };
}

const vote = fc.record({ score: fc.double({ min: 0, max: 1, noNaN: true }), heard: fc.boolean() });
const votes = fc.array(vote, { minLength: 1, maxLength: 9 });
const decide = (given: readonly Vote[]) =>
  adjudicateVotes(
    given.map((one, index) => cast(one, index)),
    'vote',
  );

describe('a majority', () => {
  test('is of those who were heard: the others change nothing', () => {
    fc.assert(
      fc.property(votes, (given) => {
        const heard = given.filter((one) => one.heard);
        expect(decide(given)).toMatchObject({ label: decide(heard).label, risk: decide(heard).risk });
        if (heard.length === 0)
          expect(decide(given)).toMatchObject({ label: 'undecided', risk: null, rule: { id: 'nobody-heard' } });
      }),
    );
  });

  test('does not depend on who speaks first', () => {
    fc.assert(
      fc.property(votes, (given) => {
        expect(decide(given.toReversed()).label).toBe(decide(given).label);
      }),
    );
  });

  test('is more than half, and half is nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 9 }), (scores) => {
        const against = scores.filter((score) => score >= 0.5).length;
        const label = against * 2 > scores.length ? 'unsafe' : against * 2 < scores.length ? 'safe' : 'undecided';
        expect(decide(scores.map((score) => ({ score, heard: true }))).label).toBe(label);
      }),
    );
  });

  test('counts every vote of the control, whose seat is one', () => {
    const control = [0.9, 0.9, 0.1].map((score, index) => cast({ score, heard: true }, 0, index + 1));
    expect(adjudicateVotes(control, 'control')).toMatchObject({
      label: 'unsafe',
      rule: {
        id: 'majority',
        why: 'The heard votes decided (round-1/control unsafe, round-2/control unsafe, round-3/control safe).',
      },
    });
  });

  test('quotes what several judges quote once', () => {
    expect(decide([0.9, 0.8, 0.7].map((score) => ({ score, heard: true }))).evidence).toEqual([
      { quote: 'back door', source: 'text', start: 10, end: 19, verified: true },
    ]);
  });
});
