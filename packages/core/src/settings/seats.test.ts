import { expect, test } from 'vitest';
import { documentsJob } from '@agonhq/documents';
import { evaluationJob } from '@agonhq/judges/evaluation';
import { moderationJob } from '@agonhq/judges/moderation';
import { agentsNamed, modelOf, requiredModelOf, seatsFor } from './seats.ts';

const all = ['preprocessor', 'supporter', 'strict-debater', 'loose-debater', 'arbiter'] as const;
const boardroom = ['factor-agent', 'affirmative', 'dissenting', 'synthesizer'] as const;
const tribunal = ['auditor', 'detector', 'critic', 'arbiter', 'judge'] as const;

test('a seat that is not named takes the default', () => {
  expect(all.map((seat) => modelOf(moderationJob, seat, { default: 'x:d' }))).toEqual([
    'x:d',
    'x:d',
    'x:d',
    'x:d',
    'x:d',
  ]);
  expect(tribunal.map((seat) => modelOf(evaluationJob, seat, { default: 'x:d' }))).toEqual([
    'x:d',
    'x:d',
    'x:d',
    'x:d',
    'x:d',
  ]);
});

test("the debaters' model seats both debaters and the supporter, and is stronger than the default", () => {
  expect(all.map((seat) => modelOf(moderationJob, seat, { default: 'x:d', debaters: 'x:b' }))).toEqual([
    'x:d',
    'x:b',
    'x:b',
    'x:b',
    'x:d',
  ]);
});

test('in evaluation the debaters are auditor and detector, and the critic and a judge are as strong as the arbiter', () => {
  expect(tribunal.map((seat) => modelOf(evaluationJob, seat, { debaters: 'x:b', arbiter: 'x:a' }))).toEqual([
    'x:b',
    'x:b',
    'x:a',
    'x:a',
    'x:a',
  ]);
  expect(
    tribunal.map((seat) =>
      modelOf(evaluationJob, seat, { default: 'x:d', auditor: 'x:u', critic: 'x:c', judge: 'x:j' }),
    ),
  ).toEqual(['x:u', 'x:d', 'x:c', 'x:d', 'x:j']);
});

test('of documents the factor agent and both sides are debaters, and the synthesizer is as strong as the arbiter', () => {
  const models = (seats: Parameters<typeof modelOf>[2]) => boardroom.map((seat) => modelOf(documentsJob, seat, seats));
  expect(models({ default: 'x:d' })).toEqual(['x:d', 'x:d', 'x:d', 'x:d']);
  expect(models({ default: 'x:d', debaters: 'x:b', arbiter: 'x:a' })).toEqual(['x:b', 'x:b', 'x:b', 'x:a']);
  expect(
    models({
      default: 'x:d',
      debaters: 'x:b',
      'factor-agent': 'x:f',
      affirmative: 'x:p',
      dissenting: 'x:c',
      synthesizer: 'x:s',
    }),
  ).toEqual(['x:f', 'x:p', 'x:c', 'x:s']);
});

test("a seat's own name is the strongest", () => {
  const seats = {
    default: 'x:d',
    debaters: 'x:b',
    'loose-debater': 'x:l',
    supporter: 'x:s',
    arbiter: 'x:a',
    preprocessor: 'x:p',
  };
  expect(all.map((seat) => modelOf(moderationJob, seat, seats))).toEqual(['x:p', 'x:s', 'x:b', 'x:l', 'x:a']);
});

test('several seats of a role take its models in turn, unless one is named', () => {
  const models = (seats: Parameters<typeof modelOf>[2]) =>
    (['auditor#1', 'auditor#2', 'auditor#3'] as const).map((seat) => modelOf(evaluationJob, seat, seats));
  expect(models({ auditor: ['x:1', 'x:2', 'x:3'] })).toEqual(['x:1', 'x:2', 'x:3']);
  expect(models({ auditor: ['x:1', 'x:2'] })).toEqual(['x:1', 'x:2', 'x:1']);
  expect(models({ default: 'x:d', 'auditor#2': 'x:2' })).toEqual(['x:d', 'x:2', 'x:d']);
  expect(modelOf(evaluationJob, 'auditor', { auditor: ['x:1', 'x:2'] })).toBe('x:1');
});

test('as many seats are meant as models are named', () => {
  expect(agentsNamed({}, ['auditor', 'detector'])).toBe(1);
  expect(agentsNamed({ default: 'x:d', auditor: 'x:1' }, ['auditor', 'detector'])).toBe(1);
  expect(agentsNamed({ auditor: ['x:1', 'x:2'], detector: 'x:3' }, ['auditor', 'detector'])).toBe(2);
  expect(agentsNamed({ default: 'x:d', 'detector#3': 'x:3' }, ['auditor', 'detector'])).toBe(3);
});

test("Aetheria's mix: a light model debates, a strong one judges, another looks at images", () => {
  expect(all.map((seat) => modelOf(moderationJob, seat, moderationJob.paperSeats!))).toEqual([
    'openai:gpt-4.1',
    'openai:gpt-4o-mini',
    'openai:gpt-4o-mini',
    'openai:gpt-4o-mini',
    'openai:gpt-4o',
  ]);
});

test("RADAR's mix: GPT-5, Grok-3, Llama-3.1-8B-Instruct and DeepSeek-R1 sit as auditor, detector, critic and arbiter", () => {
  const seats = seatsFor(evaluationJob, { evaluation: { preset: 'paper' } }, {});
  expect(tribunal.slice(0, 4).map((seat) => modelOf(evaluationJob, seat, seats))).toEqual([
    'openai:gpt-5',
    'xai:grok-3',
    'ollama:llama3.1:8b',
    'deepseek:deepseek-reasoner',
  ]);
});

test("AETHER's model is one for all seats, and a key of OpenAI's alone seats a light one with a strong synthesizer", () => {
  expect(
    boardroom.map((seat) =>
      modelOf(documentsJob, seat, seatsFor(documentsJob, { documents: { preset: 'paper' } }, {})),
    ),
  ).toEqual(Array(4).fill('openai:gpt-4-turbo'));
  expect(
    boardroom.map((seat) => modelOf(documentsJob, seat, seatsFor(documentsJob, {}, { OPENAI_API_KEY: 'k' }))),
  ).toEqual(['openai:gpt-4o-mini', 'openai:gpt-4o-mini', 'openai:gpt-4o-mini', 'openai:gpt-4o']);
  expect(seatsFor(documentsJob, {}, {})).toEqual({ default: 'embedded:guard-2' });
});

test('seats come from the settings, else from a preset, else from the key that is there, else from Agon itself', () => {
  expect(seatsFor(evaluationJob, { seats: { judge: 'x:j' } }, { OPENAI_API_KEY: 'k' })).toEqual({ judge: 'x:j' });
  expect(seatsFor(evaluationJob, { seats: { default: 'x:d' }, evaluation: { preset: 'paper' } }, {})).toEqual({
    default: 'x:d',
  });
  expect(seatsFor(evaluationJob, { seats: { detector: 'x:d' }, evaluation: { preset: 'paper' } }, {})).toEqual({
    ...evaluationJob.paperSeats,
    detector: 'x:d',
  });
  expect(seatsFor(moderationJob, { evaluation: { preset: 'paper' } }, {})).toEqual({ default: 'embedded:guard-2' });
  const openAi = seatsFor(evaluationJob, {}, { OPENAI_API_KEY: 'k' });
  expect(tribunal.map((seat) => modelOf(evaluationJob, seat, openAi))).toEqual([
    'openai:gpt-4o-mini',
    'openai:gpt-4o-mini',
    'openai:gpt-4o',
    'openai:gpt-4o',
    'openai:gpt-4o',
  ]);
  expect(seatsFor(evaluationJob, {}, {})).toEqual({ default: 'embedded:guard-2' });
});

test('a seat without a model says which settings to give', () => {
  expect(modelOf(moderationJob, 'preprocessor', { debaters: 'x:b' })).toBeNull();
  expect(modelOf(evaluationJob, 'detector#2', { auditor: ['x:1', 'x:2'] })).toBeNull();
  expect(() => requiredModelOf(moderationJob, 'arbiter', { debaters: 'x:b' })).toThrow(
    expect.objectContaining({
      code: 'no-reasoner',
      message: 'No model is set for the seat arbiter.',
      hints: expect.objectContaining({
        cli: expect.stringMatching(/OPENAI_API_KEY.*--model.*AGON_MODEL.*agon\.config\.yaml/),
      }),
    }),
  );
});
