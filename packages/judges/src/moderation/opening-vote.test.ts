import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noUsage, type Turn } from '@agonhq/engine/debate';
import { countOpeningVote } from './opening-vote.ts';

function said(seat: string, round: number | null, score: number, fallback = false): Turn {
  const role = /^(vote|peer|control|judge)/.test(seat) ? 'judge' : seat;
  return {
    kind: 'turn',
    key: round === null ? seat : `round-${round}/${seat}`,
    inputHash: '',
    seat,
    role,
    round,
    statement: '',
    score,
    evidence: [],
    answer: {},
    reasoner: 'x:y',
    usage: noUsage,
    latencyMs: 0,
    ...(fallback ? { fallback: { reason: 'timeout' as const, detail: '' } } : {}),
  };
}

const debate = [
  said('supporter', null, 0),
  said('strict-debater', 1, 0.9),
  said('loose-debater', 1, 0.2),
  said('strict-debater', 2, 0.4),
  said('loose-debater', 2, 0.1),
  said('arbiter', null, 0),
];

describe('the vote before anybody was heard', () => {
  test('of strict and loose is the mean of their first scores, whatever they said later', () => {
    expect(countOpeningVote(debate)).toEqual({ label: 'unsafe', score: 0.55 });
  });

  test('is unsafe from one half', () => {
    expect(countOpeningVote([said('strict-debater', 1, 0.8), said('loose-debater', 1, 0.2)])).toEqual({
      label: 'unsafe',
      score: 0.5,
    });
    expect(countOpeningVote([said('strict-debater', 1, 0.75), said('loose-debater', 1, 0.2)])!.label).toBe('safe');
  });

  test('is the first speaker alone where they take turns', () => {
    expect(countOpeningVote(debate, 'alternate')).toEqual({ label: 'unsafe', score: 0.9 });
  });

  test('does not count who gave no answer', () => {
    const silent = [said('strict-debater', 1, 0.5, true), said('loose-debater', 1, 0.2)];
    expect(countOpeningVote(silent)).toEqual({ label: 'safe', score: 0.2 });
    expect(countOpeningVote(silent, 'alternate')).toEqual({ label: 'safe', score: 0.2 });
    expect(countOpeningVote([said('strict-debater', 1, 0.5, true), said('strict-debater', 2, 0.9)])).toBeNull();
  });

  test('of judges without a role is the majority of the first round', () => {
    expect(countOpeningVote([said('vote#1', null, 0.9), said('vote#2', null, 0.6), said('vote#3', null, 0)])).toEqual({
      label: 'unsafe',
      score: 0.5,
    });
    expect(
      countOpeningVote([
        said('peer#1', 1, 0.9),
        said('peer#2', 1, 0.1),
        said('peer#1', 2, 0.9),
        said('peer#2', 2, 0.9),
      ]),
    ).toEqual({ label: 'undecided', score: 0.5 });
    expect(countOpeningVote([said('peer#1', 1, 0.9), said('peer#2', 1, 0.1, true)])).toEqual({
      label: 'unsafe',
      score: 0.9,
    });
  });

  test('is none where nobody debates: one judge, an arbiter alone, votes for tokens, nobody at all', () => {
    expect(
      [[said('judge', null, 0.9)], [said('arbiter', null, 0.9)], [said('control', 1, 0.9)], []].map((turns) =>
        countOpeningVote(turns),
      ),
    ).toEqual([null, null, null, null]);
  });

  test('does not depend on what comes after round 1', () => {
    const later = fc.array(
      fc.tuple(
        fc.constantFrom('strict-debater', 'loose-debater', 'peer#1'),
        fc.integer({ min: 2, max: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
      ),
    );
    fc.assert(
      fc.property(later, (turns) => {
        expect(
          countOpeningVote([...debate.slice(0, 3), ...turns.map(([seat, round, score]) => said(seat, round, score))]),
        ).toEqual(countOpeningVote(debate));
      }),
    );
  });
});
