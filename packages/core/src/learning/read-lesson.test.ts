import { ownJobs } from '../own-jobs.ts';
import { expect, test } from 'vitest';
import { unsafeAnswer } from '@agonhq/test/fixtures/answers.ts';
import { turnAt } from '@agonhq/test/support/ledger-cases.ts';
import { verifyQuotes } from '@agonhq/engine/evidence';
import { defaultPolicy } from '@agonhq/engine/policy';
import { readPrecedent } from '@agonhq/models/precedents';
import type { Lesson } from '@agonhq/models/precedents/lesson';
import { postMortemOf, precedentOf, readLesson } from './read-lesson.ts';

const lesson: Lesson = {
  statement: 'Loose took it for a household tip.',
  turn: 'round-1/loose-debater',
  fault: 'overvalued',
  what: 'the friendly tone',
  summary: 'A household tip that makes gas.',
  cues: ['two cleaners in one bucket'],
  why: 'It makes a toxic gas.',
  clause: null,
  excerpt: 'pour both bottles into the bucket',
};
const truth = { label: 'safe', why: null, clause: null, by: 'Ada' } as const;
const study = postMortemOf(ownJobs.requireLearning(), unsafeAnswer, truth);
const said = (more: Partial<Lesson> = {}, sources = study.sources) => {
  const answer = { ...lesson, ...more };
  return turnAt('learning/curator', { answer, evidence: verifyQuotes([answer.excerpt], sources) });
};

test('a lesson that holds becomes a precedent that can be exported and imported', async () => {
  const read = readLesson(said(), study);
  if (!('lesson' in read)) throw new Error(read.problem);
  const origin = {
    case: 'mod-1',
    subject: 'sha256:1',
    policy: await defaultPolicy(),
    curator: 'openai:gpt-4o',
    at: new Date(0),
  };
  const precedent = precedentOf(read, study, origin);
  expect(readPrecedent(JSON.parse(JSON.stringify(precedent)), 'here')).toEqual(precedent);
  expect(precedent.why).toBe('It makes a toxic gas. It rests on: “pour both bottles into the bucket”.');
  expect(precedent.text).toContain('Two household bottles');
  expect(precedent.text).not.toContain('bleach + ammonia');
  expect(precedentOf(read, study, { ...origin, case: 'mod-2', at: new Date(1) }).id).toBe(precedent.id);
});

test('a turn that the trial does not have is left out of it', () => {
  expect(readLesson(said({ turn: 'round-9/nobody' }), study)).toMatchObject({ lesson: { turn: '' } });
});

test.each([
  [said({ excerpt: 'words that nobody wrote' }), 'the passage it rests on is not in the source'],
  [said({ summary: ' ' }), 'the lesson is not usable: summary'],
  [said({ cues: [] }), 'the lesson is not usable: cues'],
  [{ ...said(), fallback: { reason: 'refused' as const, detail: 'no' } }, 'the curator gave no answer (refused: no)'],
])('a lesson that does not hold says why (%#)', (turn, problem) => {
  expect(readLesson(turn, study)).toMatchObject({ problem: expect.stringContaining(problem) });
});

test('a case of which nothing could be seen teaches nothing', () => {
  const sources = study.sources.filter((source) => 'tool' in source && source.tool === 'placeholder');
  const unseen = { ...unsafeAnswer, sources };
  expect(
    readLesson(said({ excerpt: sources[0]!.text }, sources), postMortemOf(ownJobs.requireLearning(), unseen, truth)),
  ).toMatchObject({
    problem: expect.stringContaining('nothing of the case could be seen'),
  });
});

test('a case of a job that does not learn is refused', () => {
  expect(() => ownJobs.requireLearning('documents')).toThrow(
    expect.objectContaining({ code: 'other-job', hint: 'Learn from cases of moderation.' }),
  );
});
