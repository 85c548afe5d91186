import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  evaluationFixtures,
  evaluationPolicyFixture,
  implicitAnswer,
} from '@agonhq/test/fixtures/evaluation-answers.ts';
import { evaluationJob, type EvaluationAnswer } from '@agonhq/judges/evaluation';
import type { ReportExtras } from '@agonhq/judges/job';
import { drawReportPage } from '../../report/report-page.tsx';

const written = ['html', 'markdown', 'notice'] as const;

function write(answer: EvaluationAnswer, format: (typeof written)[number], extras: ReportExtras = {}): string {
  return format === 'html'
    ? drawReportPage({ job: evaluationJob, answer, extras }, '')
    : evaluationJob.report[format](answer, extras);
}

/** As it comes from a file. */
const read = (answer: unknown) => evaluationJob.readAnswer(JSON.stringify(answer), 'answer.json');

const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    'x',
    -1,
    0,
    1e308,
    true,
    [],
    {},
    [[]],
    [null],
    { explicit: 0, implicit: 0, none: 0 },
    { explicit: 1e308, implicit: 1e308, none: 1 },
  ),
  fc.jsonValue(),
);

/** Every place in a value, as a list of names. */
function placesIn(value: unknown, place: readonly string[] = []): string[][] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) => [[...place, name], ...placesIn(member, [...place, name])]);
}

function withChange(value: unknown, [name, ...rest]: readonly string[], change: { to: unknown } | null): unknown {
  if (Array.isArray(value))
    return value.map((member: unknown, index) =>
      String(index) === name ? (rest.length > 0 ? withChange(member, rest, change) : (change?.to ?? null)) : member,
    );
  const { [name!]: member, ...others } = value as Record<string, unknown>;
  if (rest.length > 0) return { ...others, [name!]: withChange(member, rest, change) };
  return change ? { ...others, [name!]: change.to } : others;
}

describe('an answer that a file may hold', () => {
  test.each(written)('is reported as %s, whatever its open fields hold', (format) => {
    const answers = Object.values(evaluationFixtures).filter((answer) => answer.id !== '0198e7a1-6666');
    const changed = fc.constantFrom(...answers).chain((answer) => {
      // What seats answered and code computed: the schema of answers leaves it open.
      const places = placesIn(answer).filter((place) => place.includes('answer') || place.includes('value'));
      return fc
        .array(fc.record({ place: fc.nat(places.length - 1), change: fc.option(fc.record({ to: odd })) }), {
          minLength: 1,
          maxLength: 3,
        })
        .map((changes) =>
          changes.reduce<unknown>((value, { place, change }) => {
            try {
              return withChange(value, places[place]!, change);
            } catch {
              return value; // An earlier change took the place away.
            }
          }, answer),
        );
    });
    let reported = 0;
    fc.assert(
      fc.property(changed, (value) => {
        let answer: EvaluationAnswer;
        try {
          answer = read(value);
        } catch {
          return; // The schema of answers refuses it.
        }
        expect(typeof write(answer, format, { policy: evaluationPolicyFixture })).toBe('string');
        reported += 1;
      }),
      // To draw a page takes longer.
      { numRuns: format === 'html' ? 60 : 300 },
    );
    expect(reported).toBeGreaterThan(10);
  });

  test.each([
    [
      'answers of turns',
      (answer: EvaluationAnswer) => ({
        ...answer,
        transcript: answer.transcript.map((entry) => (entry.kind === 'turn' ? { ...entry, answer: null } : entry)),
      }),
    ],
    [
      'values of computed steps',
      (answer: EvaluationAnswer) => ({
        ...answer,
        transcript: answer.transcript.map((entry) => (entry.kind === 'computed' ? { ...entry, value: 'odd' } : entry)),
      }),
    ],
  ])('is reported without its %s', (_, without) => {
    const answer = read(without(implicitAnswer));
    for (const format of written) expect(write(answer, format)).toContain('Unsafe');
    expect(write(answer, 'html')).toContain('RADAR debate');
  });

  test.each<[string, (answer: EvaluationAnswer) => unknown, string]>([
    ['turns of the subject', (answer) => ({ ...answer, subject: { hash: 'sha256:0' } }), 'subject.id'],
    ['warnings', ({ warnings: _warnings, ...answer }) => answer, 'warnings'],
    ['concept', (answer) => ({ ...answer, verdict: { ...answer.verdict, concept: undefined } }), 'verdict.concept'],
    [
      'plan, models and protocol',
      (answer) => {
        const { agon, policy, configuration } = answer.provenance;
        return { ...answer, provenance: { agon, policy, configuration } };
      },
      'provenance.protocol',
    ],
  ])('is refused without its %s', (_, without, place) => {
    expect(() => read(without(implicitAnswer))).toThrow(`answer.json is not an answer of Agon: ${place}: `);
  });
});
