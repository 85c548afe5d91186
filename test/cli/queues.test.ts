import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '@agonhq/ledger';
import { holdCase, openedCase } from '../support/ledger-cases.ts';
import { agon } from '../support/run-agon.ts';

test('queues are listed with what waits in them, and refilled', { timeout: 120_000 }, async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'agon-queues-'));
  const file = path.join(home, 'ledger.sqlite');
  const ledger = await openLedger({ file });
  await holdCase(ledger, openedCase('case-1', { context: { channel: 'forum' } }), { escalate: true });
  await holdCase(ledger, openedCase('case-2'), { escalate: true });
  const rules = { channels: ['forum'] };
  const { id } = await ledger.queues.createQueue({ name: 'Forum', rules, dueMinutes: 60, assignees: ['ann'] });
  await ledger.close();
  const queues = (...args: string[]) =>
    agon(['queues', ...args], { cwd: home, environment: { AGON_HOME: home, AGON_LEDGER: file } });

  expect((await queues('refill')).stdout).toContain('1 case moved.');
  const { stdout } = await queues('list', '--json');
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(rows).toMatchObject([
    { id, name: 'Forum', rules, dueMinutes: 60, waiting: { first: 1 }, overdue: 0 },
    { id: 'default', waiting: { first: 1 }, nextDue: null },
  ]);
  expect((await queues('list')).stdout).toMatch(
    /Forum {2}1 case waiting \(1 first, 0 second, 0 in dispute\) {2}next due/,
  );
});
