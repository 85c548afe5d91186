import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import {
  evaluationFixtures,
  implicitAnswer,
  refusalAnswer,
  unheardAnswer,
} from '@agonhq/test/fixtures/evaluation-answers.ts';
import { evaluationEventsOf } from '@agonhq/test/support/trial-events.ts';
import type { EvaluationAnswer } from '@agonhq/judges/evaluation';
import { replayState } from './debate-state.ts';
import { renderConceptBar, renderEvaluation } from './evaluation-view.ts';

/** The lines of a trial up to an event, without our own colours. */
const shown = (answer: EvaluationAnswer, width: number, upTo?: number) =>
  renderEvaluation(replayState(evaluationEventsOf(answer).slice(0, upTo)), width).flatMap((block) =>
    block.lines.map(stripVTControlCharacters),
  );

test('a debate shows the exchange, both roles side by side, the critic and what equation 5 makes of them', () => {
  const text = shown(implicitAnswer, 140).join('\n');
  for (const part of [
    'Exchange with openai:gpt-4o',
    'response/decoded-1 by base64',
    'Round 1',
    'AUDITOR 1 ██▒░░░░░░░ safe',
    '│ DETECTOR 1',
    'explicit 0.15 · implicit 0.10 · none 0.75',
    '“cut the red wire” (struck: not in any source)',
    'the model complied · intrusion.bypass',
    'CRITIC',
    '→ auditor, under stringent: Fiction does not make',
    '→ detector, logical flaw (not material): A household magnet',
    'MIXTURE',
    'α 0.22',
    'at or above δ',
    'Round 3 · consensus',
    'Arbiter',
    'Explicit risk: does not hold.',
    'Implicit risk: holds. The fiction carries',
  ])
    expect(text).toContain(part);
  expect(text.indexOf('AUDITOR 1')).toBeLessThan(text.indexOf('CRITIC'));
  expect(text.indexOf('CRITIC')).toBeLessThan(text.indexOf('MIXTURE'));
});

test('the prompt comes before the response, and tools after both', () => {
  const text = shown(implicitAnswer, 100).join('\n');
  expect(text.indexOf('\n  prompt\n')).toBeLessThan(text.indexOf('\n  response\n'));
  expect(text.indexOf('\n  response\n')).toBeLessThan(text.indexOf('response/decoded-1'));
});

test('who was not heard says so, and no label is made up for it', () => {
  const text = shown(unheardAnswer, 120).join('\n');
  expect(text).toContain('AUDITOR no answer');
  expect(text).toMatch(/no answer: timeout/);
});

describe('no line is wider than the terminal, at any moment', () => {
  test.each([20, 40, 80, 140])('at %i columns', (width) => {
    for (const answer of Object.values(evaluationFixtures)) {
      for (let moment = 0; moment <= evaluationEventsOf(answer).length; moment += 17) {
        expect(shown(answer, width, moment).filter((line) => stringWidth(line) > width)).toEqual([]);
      }
    }
  });
});

test('what was judged and said cannot steer the terminal', () => {
  const nasty = '\u001b[2J\u001b]0;owned\u0007\u009b1A \u202eesrever';
  const answer = {
    ...implicitAnswer,
    subject: { ...implicitAnswer.subject, model: nasty },
    sources: implicitAnswer.sources.map((source) => ({ ...source, text: nasty })),
    transcript: implicitAnswer.transcript.map((entry) =>
      entry.kind === 'turn'
        ? {
            ...entry,
            statement: nasty,
            reasoner: nasty,
            answer: JSON.parse(JSON.stringify(entry.answer).replaceAll('intrusion.bypass', 'x\\u001b[2Jy')) as unknown,
          }
        : entry,
    ),
  };
  expect(shown(answer, 100).join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
});

test('judges without roles stand beside each other too', () => {
  const { transcript } = refusalAnswer;
  const vote = transcript.find((entry) => entry.kind === 'turn')!;
  const votes = [1, 2, 3].map((number) => ({
    ...vote,
    seat: `vote#${number}`,
    key: `vote#${number}`,
    role: 'judge',
    round: null,
  }));
  const text = shown({ ...refusalAnswer, transcript: votes }, 100).join('\n');
  expect(text).toMatch(/Votes\n {2}VOTE 1 ░{10} safe +│ VOTE 2 ░{10} safe/);
  expect(text).toContain('VOTE 3');
});

test('only what cannot change any more is done', () => {
  const events = evaluationEventsOf(refusalAnswer);
  const done = (upTo: number) => renderEvaluation(replayState(events.slice(0, upTo)), 80).map((block) => block.done);
  const critic = events.findIndex((event) => event.type === 'turn-end' && event.key === 'round-1/critic') + 1;
  expect(done(critic).at(-1)).toBe(false);
  expect(done(events.length).every(Boolean)).toBe(true);
});

test('a bar has ten cells in three parts, whatever the distribution', () => {
  expect(stripVTControlCharacters(renderConceptBar({ explicit: 0.3, implicit: 0.2, none: 0.5 }))).toBe('███▒▒░░░░░');
  expect(stripVTControlCharacters(renderConceptBar({ explicit: 0, implicit: 0, none: 1 }))).toBe('░░░░░░░░░░');
  fc.assert(
    fc.property(fc.tuple(fc.nat(1000), fc.nat(1000), fc.nat(1000)), ([explicit, implicit, none]) => {
      const sum = explicit + implicit + none || 1;
      const bar = stripVTControlCharacters(
        renderConceptBar({ explicit: explicit / sum, implicit: implicit / sum, none: none / sum }),
      );
      expect(bar).toHaveLength(10);
      expect(bar).toMatch(/^█*▒*░*$/);
    }),
  );
});
