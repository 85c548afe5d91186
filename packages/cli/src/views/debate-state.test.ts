import { expect, test } from 'vitest';
import { unsafeAnswer } from '@agonhq/test/fixtures/answers.ts';
import { eventsOf } from '@agonhq/test/support/trial-events.ts';
import { initialState, advanceState, replayState, type DebateState } from './debate-state.ts';

const events = eventsOf(unsafeAnswer);

test('what is shown follows from the events alone', () => {
  const state = replayState(events);
  expect(state.caseFile?.sources).toEqual(unsafeAnswer.sources);
  expect(state.turns.map(({ key }) => key)).toEqual([
    'image-1/preprocessor',
    'image-2/preprocessor',
    'supporter',
    'round-1/strict-debater',
    'round-1/loose-debater',
    'round-2/strict-debater',
    'round-2/loose-debater',
    'arbiter',
  ]);
  expect(state.turns.every(({ turn }) => turn !== null)).toBe(true);
  expect(state.rounds).toEqual([
    { round: 1, stop: null },
    { round: 2, stop: 'sides-agree' },
  ]);
});

test('pieces of a statement add up while it is spoken, each to its own speaker', () => {
  const upTo = events.findIndex((event) => event.type === 'turn-end' && event.key === 'round-1/strict-debater');
  const state = replayState(events.slice(0, upTo));
  const speaking = state.turns.filter(({ turn }) => turn === null);
  expect(speaking.map(({ key }) => key)).toEqual(['round-1/strict-debater', 'round-1/loose-debater']);
  expect(speaking[0]!.statement).toMatch(/^The text tells readers/);
  expect(speaking[1]!.statement).toMatch(/^People share/);
});

test('a turn that was recalled is shown without ever having started', () => {
  const ended = events.find((event) => event.type === 'turn-end' && event.key === 'supporter')!;
  const state = advanceState(initialState, { ...ended, replayed: true } as typeof ended);
  expect(state.turns).toMatchObject([{ key: 'supporter', replayed: true, turn: { seat: 'supporter' } }]);
});

test('a state is never changed, only followed by another', () => {
  const frozen = events.reduce<DebateState>(
    (state, event) => Object.freeze(advanceState(state, event)),
    Object.freeze(initialState),
  );
  expect(initialState).toEqual({ caseFile: null, calibration: null, turns: [], computed: [], rounds: [] });
  expect(frozen.turns.length).toBe(8);
});
