import { addJob, allJobs } from '../../src/own-jobs.ts';
import { openLedger } from '../../src/ledger/index.ts';
import { startServer } from '../../src/server/index.ts';
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
