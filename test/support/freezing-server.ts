import { ownJobs } from '@agonhq/core/own-jobs';
import { createJobs } from '@agonhq/judges/job';
import { openLedger } from '@agonhq/ledger';
import { startServer } from '@agonhq/server';
import { readingJob } from './reading-job.ts';

/* A watched server with a job that one text freezes for good: `freezing-server.ts FOLDER`. Says its address. */

const folder = process.argv[2]!;

const server = await startServer({
  jobs: createJobs([...ownJobs.list(), readingJob]),
  settings: { server: { port: 0 } },
  ledger: await openLedger({ file: `${folder}/ledger.sqlite` }),
  environment: { AGON_HOME: folder },
  watched: { answerMs: 500, endMs: 3_000 },
});
process.stdout.write(`${server.url}\n`);
