import { ownJobs } from '@agonhq/core/own-jobs';
import { openLedger } from '@agonhq/ledger';
import { startServer } from '@agonhq/server';
import type { Settings } from '@agonhq/core/settings';

/* A server as a process of its own, for `server.ts`: reports its address, answers `memory`, ends when it is let go. */

const [file, home, server] = process.argv.slice(2) as [string, string, string];
const ledger = await openLedger({ file });
const running = await startServer({
  jobs: ownJobs,
  settings: { server: JSON.parse(server) as NonNullable<Settings['server']> },
  ledger,
  environment: { AGON_HOME: home },
});
process.send!({ url: running.url });
process.on('message', () => process.send!({ rss: process.memoryUsage().rss }));
process.on('disconnect', () => void running.close().then(() => ledger.close()));
