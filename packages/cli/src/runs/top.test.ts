import { expect, test } from 'vitest';
import { renderSnapshot } from './top.ts';

const at = new Date('2026-11-15T12:00:00Z');
const worker = {
  id: 'worker-1',
  host: 'db-7',
  pid: 41,
  version: '1',
  concurrency: 8,
  running: 3,
  judged: 1200,
  failed: 2,
  state: 'working' as const,
  startedAt: at,
  seenAt: new Date('2026-11-15T11:59:56Z'),
  alive: true,
};

test('runs and workers stand in columns; a worker that was not heard of is gone', () => {
  const lines = renderSnapshot({
    version: 1,
    at,
    runs: [
      {
        id: 'run-1',
        name: null,
        job: 'moderation',
        total: 5000,
        startedAt: at,
        waiting: 3796,
        running: 3,
        failed: 2,
        done: 1199,
        rate: 12.34,
        etaSeconds: 308,
        costUsd: 1.5,
        usdPerHour: 55.5,
      },
    ],
    workers: [
      worker,
      { ...worker, id: 'worker-2', state: 'draining', alive: false, seenAt: new Date('2026-11-15T11:57:00Z') },
    ],
  });
  expect(lines).toEqual([
    'run    job                done    rate       left  waiting  running  failed  spend     $/h',
    'run-1  moderation  1,199/5,000  12.3/s  5 min 8 s    3,796        3       2  $1.50  $55.50',
    '',
    'worker    host:pid  state    running  judged  failed           seen',
    'worker-1  db-7:41   working      3/8   1,200       2        4 s ago',
    'worker-2  db-7:41   gone         3/8   1,200       2  3 min 0 s ago',
  ]);
});

test('where nothing runs and nobody works it says so', () => {
  expect(renderSnapshot({ version: 1, at, runs: [], workers: null })).toEqual(['There are no active runs.']);
  expect(renderSnapshot({ version: 1, at, runs: [], workers: [] }).at(-1)).toContain('Start one: agon worker');
});
