import { listPublicKeys } from '@agonhq/ledger/bundle';
import { expect, test } from 'vitest';
import { runningServer } from '@agonhq/test/support/running-server.ts';
import { auditLedger, readKeys } from '@agonhq/ledger/checkpoints';
import type { LogLine } from '../log.ts';
import { keepCheckpoint } from './checkpoint-schedule.ts';

test('a server makes a checkpoint where something new was written, and goes on where no authority answers', async () => {
  await using server = await runningServer();
  await server.call('/api/jobs/moderation/cases', { json: { text: 'A note about zyxomma dragonflies.' } });
  const said: LogLine[] = [];
  const environment = { AGON_HOME: server.home };
  const context = {
    ledger: server.ledger,
    settings: { checkpoints: { authority: 'http://127.0.0.1:9/' } },
    environment,
    log: (line: LogLine) => void said.push(line),
  };
  await keepCheckpoint(context);
  expect(said).toMatchObject([
    { level: 'info', event: 'checkpoint', number: 1, timeStamped: false },
    { level: 'warn', problem: expect.stringContaining('127.0.0.1:9 gave no time stamp: it cannot be reached') },
  ]);
  await keepCheckpoint(context);
  expect(said, 'nothing new').toHaveLength(2);
  const keys = readKeys((await listPublicKeys(environment)).map(({ pem }) => pem).join(''));
  expect(await auditLedger(server.ledger, { keys })).toMatchObject({ holds: true });
});
