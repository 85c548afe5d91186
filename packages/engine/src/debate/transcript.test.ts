import { expect, test } from 'vitest';
import { z } from 'zod';
import { noUsage } from './index.ts';
import {
  defineStep,
  findLastTurn,
  findTurns,
  findValue,
  isTurnOf,
  listQuotes,
  type Entry,
  type Turn,
} from './transcript.ts';

const turnOf = (seat: string, role: string, more: Partial<Turn> = {}): Turn => ({
  kind: 'turn',
  key: seat,
  inputHash: '',
  seat,
  role,
  round: null,
  statement: '',
  score: null,
  evidence: [],
  answer: {},
  reasoner: 'm',
  usage: noUsage,
  latencyMs: 0,
  ...more,
});
const computed = (name: string, value: unknown): Entry => ({
  kind: 'computed',
  key: name,
  inputHash: '',
  name,
  round: null,
  value,
});

const transcript: Entry[] = [
  turnOf('vote#1', 'judge', { key: '1' }),
  computed('tally', 1),
  turnOf('vote#2', 'judge', { key: '2' }),
  { kind: 'stop', key: 'stop', round: 1, reason: 'agreed' },
  turnOf('critic', 'critic', { key: '3' }),
  turnOf('vote#1', 'judge', { key: '4' }),
  computed('tally', 2),
  computed('other', 3),
];
const judge = { id: 'judge', schema: z.unknown() };
const second = { ...judge, atSeat: 'vote#2' };
const keysOf = (turns: readonly Turn[]) => turns.map(({ key }) => key);

test('turns are found by role, and by the seat of a role that is at one alone', () => {
  expect(keysOf(findTurns(transcript))).toEqual(['1', '2', '3', '4']);
  expect(keysOf(findTurns(transcript, judge))).toEqual(['1', '2', '4']);
  expect(keysOf(findTurns(transcript, second))).toEqual(['2']);
  expect(keysOf(findTurns(transcript, second, { id: 'critic', schema: z.unknown() }))).toEqual(['2', '3']);
  expect(isTurnOf(turnOf('vote#2', 'critic'), second)).toBe(false);
});

test('the last turn is that of a role or of a seat', () => {
  expect(findLastTurn(transcript, judge)?.key).toBe('4');
  expect(findLastTurn(transcript, second)?.key).toBe('2');
  expect(findLastTurn(transcript, 'vote#1')?.key).toBe('4');
  expect([findLastTurn(transcript, 'judge'), findLastTurn([], judge)]).toEqual([undefined, undefined]);
});

test('a step’s value is what it last put on record', () => {
  const tally = defineStep<number>('tally');
  expect([findValue(transcript, tally), findValue(transcript, defineStep('none'))]).toEqual([2, undefined]);
  expect(transcript.filter(tally.hasEntry)).toHaveLength(2);
});

test('quotes are those that stand in a source', () => {
  const evidence = [
    { quote: 'a', source: 't', start: 0, end: 1, verified: true },
    { quote: 'b', verified: false },
  ] as never;
  expect(listQuotes({ evidence })).toEqual(['a']);
});
