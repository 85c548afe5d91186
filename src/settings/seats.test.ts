import { expect, test } from 'vitest';
import { modelOf, paperSeats, requiredModelOf } from './seats.ts';

const all = ['preprocessor', 'supporter', 'strict-debater', 'loose-debater', 'arbiter'] as const;

test('a seat that is not named takes the default', () => {
  expect(all.map((seat) => modelOf(seat, { default: 'x:d' }))).toEqual(['x:d', 'x:d', 'x:d', 'x:d', 'x:d']);
});

test("the debaters' model seats both debaters and the supporter, and is stronger than the default", () => {
  expect(all.map((seat) => modelOf(seat, { default: 'x:d', debaters: 'x:b' }))).toEqual(['x:d', 'x:b', 'x:b', 'x:b', 'x:d']);
});

test("a seat's own name is the strongest", () => {
  const seats = { default: 'x:d', debaters: 'x:b', 'loose-debater': 'x:l', supporter: 'x:s', arbiter: 'x:a', preprocessor: 'x:p' };
  expect(all.map((seat) => modelOf(seat, seats))).toEqual(['x:p', 'x:s', 'x:b', 'x:l', 'x:a']);
});

test("the paper's mix: a light model debates, a strong one judges, another looks at images", () => {
  expect(all.map((seat) => modelOf(seat, paperSeats))).toEqual(['openai:gpt-4.1', 'openai:gpt-4o-mini', 'openai:gpt-4o-mini', 'openai:gpt-4o-mini', 'openai:gpt-4o']);
});

test('a seat without a model says which settings to give', () => {
  expect(modelOf('preprocessor', { debaters: 'x:b' })).toBeNull();
  expect(() => requiredModelOf('arbiter', { debaters: 'x:b' })).toThrow(
    expect.objectContaining({ code: 'no-reasoner', message: 'No model is set for the seat arbiter.', hint: expect.stringMatching(/OPENAI_API_KEY.*--model.*AGON_MODEL.*agon\.config\.yaml/) }),
  );
});
