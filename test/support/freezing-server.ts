import { addJob, allJobs } from '@agonhq/core/own-jobs';
import { openLedger } from '@agonhq/ledger';
import { startServer } from '@agonhq/server';
import { readingJob } from './reading-job.ts';

/* A watched server with a job that one text freezes for good: `freezing-server.ts FOLDER`. Says its address. */

const folder = process.argv[2]!;

addJob(readingJob);

const server = await startServer({
  jobs: allJobs,
  settings: { server: { port: 0 } },
  ledger: await openLedger({ file: `${folder}/ledger.sqlite` }),
  environment: { AGON_HOME: folder },
  watched: { answerMs: 500, endMs: 3_000 },
});
process.stdout.write(`${server.url}\n`);
