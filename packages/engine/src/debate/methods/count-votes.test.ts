import { describe, expect, test } from 'vitest';
import { noUsage, type Turn } from '../index.ts';
import {
  findOpeningTurns,
  findVotes,
  hasUnheardSeat,
  keepLastOfSeats,
  keepUnique,
  ruleByMajority,
  ruleOnSilence,
  type Majority,
} from './count-votes.ts';

type Vote = { label: 'safe' | 'unsafe'; quote?: string };
const fallback = { reason: 'timeout', detail: 'late' } as const;

function vote(seat: string, label: Vote['label'], overrides: Partial<Turn<Vote>> = {}): Turn<Vote> {
  return {
    kind: 'turn',
    key: overrides.round ? `round-${overrides.round}/${seat}` : seat,
    inputHash: 'sha256:1',
    seat,
    role: 'judge',
    round: null,
    statement: `${seat} says ${label}.`,
    score: 0.5,
    evidence: [],
    answer: { label },
    reasoner: 'test:a',
    usage: noUsage,
    latencyMs: 0,
    ...overrides,
  };
}

const judge = { id: 'judge', schema: null as never };
const seatsOf = (turns: readonly Turn[]) => turns.map(({ key }) => key);

describe('votes', () => {
  test('are the last of each seat that was heard, in the order in which the seats first spoke', () => {
    const turns = [
      vote('peer#2', 'safe', { round: 1 }),
      vote('peer#1', 'safe', { round: 1 }),
      vote('peer#1', 'unsafe', { round: 2 }),
      vote('peer#2', 'unsafe', { round: 2, fallback }),
      vote('critic', 'unsafe', { role: 'critic' }),
    ];
    expect(seatsOf(findVotes(turns, judge))).toEqual(['round-1/peer#2', 'round-2/peer#1']);
    expect(seatsOf(keepLastOfSeats(turns))).toEqual(['round-2/peer#2', 'round-2/peer#1', 'critic']);
  });

  test('of the one seat of a control count all', () => {
    const turns = [1, 2, 3].map((round) => vote('control', 'safe', { round, ...(round === 2 ? { fallback } : {}) }));
    expect(seatsOf(findVotes(turns, judge))).toEqual(['round-1/control', 'round-3/control']);
  });

  test('before anybody had heard anybody are those of round 1, and of voters outside of any', () => {
    const turns = [
      vote('vote#1', 'safe'),
      vote('peer#1', 'safe', { round: 1 }),
      vote('peer#1', 'safe', { round: 2 }),
      vote('peer#2', 'safe', { round: 1, fallback }),
      vote('control', 'safe', { round: 1 }),
      vote('judge', 'safe'),
    ];
    expect(seatsOf(findOpeningTurns(turns, judge))).toEqual(['vote#1', 'round-1/peer#1']);
  });

  test('lack a seat that was never heard, and none that was heard once', () => {
    const silent = vote('vote#1', 'safe', { fallback });
    expect(hasUnheardSeat([silent, vote('vote#2', 'safe')])).toBe(true);
    expect(hasUnheardSeat([silent, vote('vote#1', 'safe', { round: 2 })])).toBe(false);
    expect(hasUnheardSeat([])).toBe(false);
  });
});

describe('the majority', () => {
  const quoted = (quote: string) => ({ quote, source: 'text', start: 0, end: 1, verified: true }) as const;
  const majority: Majority<Vote> = {
    labelOf: ({ answer }) => answer.label,
    score: 0.6,
    rules: { decided: 'majority', tied: 'tie' },
    evidenceOf: ({ answer, seat }) => [quoted(answer.quote ?? 'all'), quoted(seat)],
    shortfallOf: (evidence) => (evidence.length === 0 ? 'nobody quoted it' : null),
    clausesOf: ({ seat }) => [`clause-${seat}`],
  };
  const rule = (labels: string, more: Partial<Majority<Vote>> = {}) =>
    ruleByMajority(
      Array.from(labels, (letter, index) => vote(`vote#${index + 1}`, letter === 'u' ? 'unsafe' : 'safe')),
      { ...majority, ...more },
    );

  test('decides, and half of the votes is none', () => {
    const cases = {
      u: 'unsafe',
      s: 'safe',
      us: 'undecided',
      uus: 'unsafe',
      uss: 'safe',
      uuss: 'undecided',
      uuuss: 'unsafe',
    };
    for (const [labels, label] of Object.entries(cases)) expect(rule(labels)).toMatchObject({ label, score: 0.6 });
    expect(rule('us').rule).toEqual({ id: 'tie', why: 'The votes were split (vote#1 unsafe, vote#2 safe).' });
    expect(rule('uus').rule.id).toBe('majority');
  });

  test('for a risk brings what those who saw it quoted, each once, and their clauses', () => {
    const { evidence, clauses } = rule('usu');
    expect(evidence!.map(({ quote }) => quote)).toEqual(['all', 'vote#1', 'vote#3']);
    expect(clauses).toEqual(['clause-vote#1', 'clause-vote#3']);
    expect(rule('ssu').evidence).toBeUndefined();
  });

  test('decides nothing on a risk that nobody could quote', () => {
    expect(rule('uu', { evidenceOf: () => [] })).toMatchObject({
      label: 'undecided',
      rule: { id: 'evidence-struck', why: expect.stringContaining('nobody quoted it') },
    });
    expect(rule('ss', { evidenceOf: () => [] }).label).toBe('safe');
  });

  test('of one judge alone is told in its own words; where votes stand in for an arbiter, that is said first', () => {
    expect(rule('s', { rules: { decided: 'judge', tied: 'tie' } }).rule.why).toBe('vote#1 says safe.');
    expect(rule('s', { before: 'The arbiter gave no answer' }).rule.why).toMatch(/^The arbiter gave no answer; the /);
    const again = [1, 2, 3].map((round) => vote('control', 'safe', { round }));
    expect(ruleByMajority(again, majority).rule.why).toContain('round-2/control safe');
  });

  test('the same evidence of several is one piece', () => {
    expect(keepUnique([quoted('a'), quoted('b'), quoted('a')])).toEqual([quoted('a'), quoted('b')]);
  });
});

test('where nobody was heard nothing is decided; a language that cannot be judged is said', () => {
  const words = { subject: 'text', why: 'Nobody answered.' };
  expect(ruleOnSilence([vote('a', 'safe', { fallback })], words)).toEqual({
    label: 'undecided',
    score: null,
    rule: { id: 'nobody-heard', why: 'Nobody answered.' },
  });
  const foreign = vote('a', 'safe', { fallback: { reason: 'unsupported-language', detail: 'Basque' } });
  expect(ruleOnSilence([vote('b', 'safe', { fallback }), foreign], words).rule).toEqual({
    id: 'unsupported-language',
    why: 'The text is in a language that could not be judged: Basque.',
  });
});
