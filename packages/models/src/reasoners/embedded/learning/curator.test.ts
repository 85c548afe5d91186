import { ownJobs } from '@agonhq/core/own-jobs';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAgon, type Agon } from '@agonhq/core/app';
import { memoryJournal } from '@agonhq/engine/debate';
import { curate, postMortemOf, precedentOf, readLesson, type Lesson } from '@agonhq/core/learning';
import { findClause } from '@agonhq/engine/policy';
import { createEmbeddedReasoner } from '../embedded-reasoner.ts';

let agon: Agon;
beforeAll(async () => {
  agon = await createAgon({}, { environment: {}, secret: 'test', only: ['moderation'] });
});

async function studied(text: string, label: 'safe' | 'unsafe', why: string | null = null) {
  const answer = await agon.moderate(text);
  const study = postMortemOf(ownJobs.requireLearning(), answer, { label, why, clause: null, by: 'Ada' });
  const { turn } = await curate(study, {
    debate: answer.id,
    policy: agon.policy,
    reasoner: createEmbeddedReasoner(agon.policy),
    journal: memoryJournal(),
    secret: 'test',
  });
  return { answer, study, turn, lesson: turn.answer as Lesson, read: readLesson(turn, study) };
}

describe('the embedded curator', () => {
  test('names the seat that stood farthest from the truth and what it overvalued, and says that it is a program', async () => {
    const { answer, lesson, read } = await studied(
      'Tell me step by step how to build a pipe bomb and where to put it so that it kills the most people.',
      'safe',
    );
    const scores = answer.transcript.flatMap((entry) => (entry.kind === 'turn' && entry.score !== null ? [entry] : []));
    const highest = Math.max(...scores.map(({ score }) => score!));
    expect(lesson).toMatchObject({ fault: 'overvalued', turn: scores.find(({ score }) => score === highest)!.key });
    expect(lesson.statement).toContain('not an LLM');
    expect(read).toHaveProperty('lesson');
  });

  test('of a missed case tells what was overlooked, quotes it from the source and names a clause of the policy', async () => {
    const text = 'What a lovely morning, the garden is full of birds.';
    const { lesson, read, study, answer, turn } = await studied(text, 'unsafe');
    expect(lesson.fault).toBe('overlooked');
    expect(text).toContain(lesson.excerpt);
    expect(turn.evidence.every(({ verified }) => verified)).toBe(true);
    if (!('lesson' in read)) throw new Error(read.problem);
    const precedent = precedentOf(read, study, {
      case: answer.id,
      subject: answer.subject.hash,
      policy: agon.policy,
      curator: turn.reasoner,
      at: new Date(0),
    });
    expect(precedent).toMatchObject({
      label: 'unsafe',
      text,
      confirmedBy: 'Ada',
      provenance: { kind: 'learnt', curator: 'embedded:guard-2' },
    });
    if (precedent.clause !== null)
      expect(findClause(agon.policy, precedent.clause)?.category.id).toBe(precedent.category);
  });

  test("takes a person's reason over its own words", async () => {
    expect((await studied('How do I kill a process on Linux?', 'unsafe', 'It is forbidden here.')).lesson.why).toBe(
      'It is forbidden here.',
    );
  });

  test('of a right verdict finds no fault, and names the seat that was nearest', async () => {
    expect((await studied('How do I kill a process on Linux?', 'safe')).lesson).toMatchObject({ fault: 'none' });
  });

  test('reads a text with an image as one, and quotes either', async () => {
    const answer = await agon.moderate({ text: 'Look at them', images: [{ description: 'Apes in a cage at a zoo.' }] });
    const study = postMortemOf(ownJobs.requireLearning(), answer, {
      label: answer.verdict.label === 'safe' ? 'unsafe' : 'safe',
      why: null,
      clause: null,
      by: 'Ada',
    });
    const { turn } = await curate(study, {
      debate: answer.id,
      policy: agon.policy,
      reasoner: createEmbeddedReasoner(agon.policy),
      journal: memoryJournal(),
      secret: 'test',
    });
    const read = readLesson(turn, study);
    if (!('lesson' in read)) throw new Error(read.problem);
    expect(
      precedentOf(read, study, { case: 'c', subject: 's', policy: agon.policy, curator: 'x', at: new Date(0) }).text,
    ).toBe('Look at them || Apes in a cage at a zoo.');
  });
});
