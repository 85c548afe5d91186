import { expect, test } from 'vitest';
import { fillLedger } from '@agonhq/lab/bench/many-cases.ts';
import { runningServer } from '@agonhq/test/support/running-server.ts';
import { said } from '@agonhq/test/support/said.ts';
import { isWhole } from '@agonhq/test/support/slow.ts';
import { schemas } from '../api/index.ts';
import type { QueueRules } from '@agonhq/ledger/reviews/queue-rules';

/* 100,000 cases where all tests are run, fewer else. */

const cases = isWhole ? 100_000 : 1_000;
const mostMs = 200;

test(`a page of a queue among ${cases.toLocaleString('en')} cases comes within ${mostMs} ms, filtered or not`, async () => {
  await using server = await runningServer();
  await fillLedger(server.ledger, cases, { trials: false });
  const made: [string, QueueRules][] = [
    ['Weapons', { clauses: ['weapons', 'violence'] }],
    ['Certain', { risk: { from: 0.8, to: 1 } }],
    ['Checks', { sample: 0.05 }],
  ];
  for (const [name, rules] of made)
    await server.ledger.queues.createQueue({ name, rules, dueMinutes: 60, assignees: [] });
  const began = performance.now();
  await server.ledger.queues.refillQueues();
  const filled = performance.now() - began;
  const { rows: queues } = await said(server.call('/api/queues'), schemas.queueList);
  expect(queues.every(({ waiting }) => waiting.first > 0)).toBe(true);

  const took: Record<string, number> = {};
  const measure = async <Result>(what: string, work: () => Promise<Result>): Promise<Result> => {
    const times: number[] = [];
    let result!: Result;
    // The first look warms the database up; of the others the middle one counts, in processor time: others may be busy.
    for (let run = 0; run < 6; run += 1) {
      const start = process.cpuUsage();
      result = await work();
      const { user, system } = process.cpuUsage(start);
      times.push((user + system) / 1_000);
    }
    took[what] = Math.round(times.slice(1).toSorted((a, b) => a - b)[2]!);
    return result;
  };
  const page = (query: string) => said(server.call(`/api/queue?limit=50&by=ann&${query}`), schemas.queuePage);
  await measure('all queues', () => said(server.call('/api/queues'), schemas.queueList));
  const [weapons] = queues;
  for (const query of [
    'stage=first',
    'stage=first&sort=due',
    `stage=first&queue=${weapons!.id}`,
    `stage=first&queue=${weapons!.id}&sort=due`,
    'stage=first&queue=default',
    'stage=first&overdue=true',
    'stage=first&assigned=me',
    'stage=first&assigned=me&sort=due',
    'stage=first&assigned=nobody',
  ]) {
    const { next, rows } = await measure(query.replace(weapons!.id, 'ID'), () => page(query));
    if (next !== null)
      await measure(`${query.replace(weapons!.id, 'ID')}, next page`, () => page(`${query}&after=${next}`));
    expect(rows.length > 0 || /assigned=me|overdue/.test(query)).toBe(true);
  }
  console.log({ cases, filledMs: Math.round(filled), took });
  expect(Math.max(...Object.values(took))).toBeLessThan(mostMs);
}, 600_000);
