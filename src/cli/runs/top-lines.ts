import type { Snapshot } from '../../runs/index.ts';
import { fitted, textTable } from '../terminal/table.ts';
import { duration, money } from '../terminal/format.ts';
import { plain, styled } from '../terminal/style.ts';

const runHeading = ['run', 'job', 'done', 'rate', 'left', 'waiting', 'running', 'failed', 'spend', '$/h'];
const workerHeading = ['worker', 'host:pid', 'state', 'running', 'judged', 'failed', 'seen'];

/** What runs, and who works on it. */
export function topLines({ at, runs, workers }: Snapshot): string[] {
  return fitted([
    ...(runs.length === 0 ? ['No run is running.'] : textTable([runHeading, ...runs.map(runCells)], [0, 1])),
    ...(workers === null
      ? []
      : [
          '',
          ...(workers.length === 0
            ? [styled('yellow', 'No worker is there: agon worker starts one.')]
            : textTable([workerHeading, ...workers.map((worker) => workerCells(worker, at))], [0, 1, 2])),
        ]),
  ]);
}

function runCells({
  id,
  name,
  job,
  done,
  total,
  rate,
  etaSeconds,
  waiting,
  running,
  failed,
  costUsd,
  usdPerHour,
}: Snapshot['runs'][number]): string[] {
  const numbers = [waiting, running, failed].map((number) => number.toLocaleString('en'));
  return [
    plain(name === null ? id : `${name} (${id})`),
    job,
    `${done.toLocaleString('en')}/${total?.toLocaleString('en') ?? '?'}`,
    `${rate.toFixed(1)}/s`,
    etaSeconds === null ? '–' : duration(etaSeconds),
    ...numbers,
    money(costUsd),
    money(usdPerHour),
  ];
}

function workerCells(
  {
    id,
    host,
    pid,
    state,
    alive,
    running,
    concurrency,
    judged,
    failed,
    seenAt,
  }: NonNullable<Snapshot['workers']>[number],
  at: Date,
): string[] {
  return [
    plain(id),
    plain(`${host}:${pid}`),
    alive ? state : 'gone',
    `${running}/${concurrency}`,
    judged.toLocaleString('en'),
    failed.toLocaleString('en'),
    `${duration(Math.max(0, (at.getTime() - seenAt.getTime()) / 1000))} ago`,
  ];
}
