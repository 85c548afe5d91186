import { z } from 'zod';
import { argumentSchema, defineJob, defineRole, findLastTurn, turn } from '@agonhq/core';

const reader = defineRole({
  id: 'reader',
  instructions: 'You read.',
  schema: argumentSchema,
  temperature: 0,
  fallback: () => ({ statement: 'No answer.', evidence: [], score: 0.5 }),
  program: ({ caseFile }) => {
    while (caseFile.sources.some(({ text }) => text === 'Freeze.'));
    return { statement: 'Read.', evidence: [], score: 0.1 };
  },
});

/** A job that is not Agon's own. Its text `Freeze.` freezes whoever judges it for good. */
export const readingJob = defineJob({
  id: 'reading',
  version: '1',
  title: 'Reading',
  description: 'Can it be read?',
  subject: 'text',
  labels: ['read', 'undecided'],
  input: z.object({ text: z.string() }),
  sources: ({ text }) => [{ id: 'text', text }],
  roles: { reader },
  protocol: (seats) => turn(seats.reader),
  decide: (transcript) => ({
    label: findLastTurn(transcript, reader) ? 'read' : 'undecided',
    score: 0.1,
    rule: { id: 'read', why: 'It was read.' },
  }),
});
