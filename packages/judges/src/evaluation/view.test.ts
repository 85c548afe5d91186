import { expect, test } from 'vitest';
import { implicitAnswer } from '@agonhq/test/fixtures/evaluation-answers.ts';
import { corners, formatRounds, locate, placeMarks } from './concept-space.ts';
import { describeStanding, viewEvaluation } from './view.ts';

const turn = (seat: string, role: string, round: number, distribution: unknown, more: object = {}) => ({
  kind: 'turn',
  key: `round-${round}/${seat}`,
  seat,
  role,
  round,
  evidence: [],
  answer: { label: 'safe', distribution },
  ...more,
});
const calm = { explicit: 0.1, implicit: 0.1, none: 0.8 };
const worried = { explicit: 0.7, implicit: 0.2, none: 0.1 };
const transcript = [
  turn('auditor#1', 'auditor', 1, worried),
  turn('auditor#2', 'auditor', 1, calm),
  turn('detector', 'detector', 1, { explicit: 2, implicit: 6, none: 2 }),
  { kind: 'computed', name: 'mixture', key: 'round-1/mixture', round: 1, value: { mixture: calm } },
  turn('auditor#1', 'auditor', 2, calm),
  turn('auditor#2', 'auditor', 2, calm),
  turn('detector', 'detector', 2, null, { fallback: { reason: 'refused', detail: '' } }),
  turn('arbiter', 'arbiter', 2, worried),
];
const { speakers } = viewEvaluation({ ...implicitAnswer, transcript: transcript as never });

test('every seat has its path through the rounds, then the mixture; the arbiter has none', () => {
  expect(speakers.map(({ name, points }) => [name, points.map(({ round }) => round)])).toEqual([
    ['Auditor 1', [1, 2]],
    ['Auditor 2', [1, 2]],
    ['Detector', [1, 2]],
    ['Mixture', [1]],
  ]);
  expect(speakers[2]!.points[0]!.distribution).toEqual({ explicit: 0.2, implicit: 0.6, none: 0.2 });
  expect(describeStanding(speakers[3]!.points[0]!)).toBe('none');
});

test('a speaker that stays has one mark for all its rounds', () => {
  const marks = placeMarks(speakers);
  expect(marks.filter(({ speaker }) => speaker.name === 'Auditor 2').map(formatRounds)).toEqual(['1–2']);
  expect(marks.filter(({ speaker }) => speaker.name === 'Auditor 1').map(formatRounds)).toEqual(['1', '2']);
});

test('certainty stands in its corner', () => {
  for (const concept of ['explicit', 'implicit', 'none'] as const)
    expect(locate({ explicit: 0, implicit: 0, none: 0, [concept]: 1 })).toEqual(corners[concept]);
});
