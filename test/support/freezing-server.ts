import { z } from 'zod';
import { argumentSchema, defineJob, defineRole, findLastTurn, turn } from '../../src/index.ts';
import { addJob, allJobs } from '../../src/own-jobs.ts';
import { openLedger } from '../../src/ledger/index.ts';
import { startServer } from '../../src/server/index.ts';

/* A watched server with a job that one text freezes for good: `freezing-server.ts FOLDER`. Says its address. */

const folder = process.argv[2]!;

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

addJob(
  defineJob({
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
  }),
);

const server = await startServer({
  jobs: allJobs,
  settings: { server: { port: 0 } },
  ledger: await openLedger({ file: `${folder}/ledger.sqlite` }),
  environment: { AGON_HOME: folder },
  watched: { answerMs: 500, endMs: 3_000 },
});
process.stdout.write(`${server.url}\n`);
