import type { Snapshot } from '../../runs/index.ts';
import { fitLines, formatTable } from '../terminal/table.ts';
import { formatDuration, formatMoney } from '../terminal/format.ts';
import { sanitize, style } from '../terminal/style.ts';

const runHeading = ['run', 'job', 'done', 'rate', 'left', 'waiting', 'running', 'failed', 'spend', '$/h'];
const workerHeading = ['worker', 'host:pid', 'state', 'running', 'judged', 'failed', 'seen'];

/** What runs, and who works on it. */
export function renderSnapshot({ at, runs, workers }: Snapshot): string[] {
  return fitLines([
    ...(runs.length === 0 ? ['No run is running.'] : formatTable([runHeading, ...runs.map(runCells)], [0, 1])),
    ...(workers === null
      ? []
      : [
          '',
          ...(workers.length === 0
            ? [style('yellow', 'No worker is there: agon worker starts one.')]
            : formatTable([workerHeading, ...workers.map((worker) => workerCells(worker, at))], [0, 1, 2])),
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
    sanitize(name === null ? id : `${name} (${id})`),
    job,
    `${done.toLocaleString('en')}/${total?.toLocaleString('en') ?? '?'}`,
    `${rate.toFixed(1)}/s`,
    etaSeconds === null ? '–' : formatDuration(etaSeconds),
    ...numbers,
    formatMoney(costUsd),
    formatMoney(usdPerHour),
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
    sanitize(id),
    sanitize(`${host}:${pid}`),
    alive ? state : 'gone',
    `${running}/${concurrency}`,
    judged.toLocaleString('en'),
    failed.toLocaleString('en'),
    `${formatDuration(Math.max(0, (at.getTime() - seenAt.getTime()) / 1000))} ago`,
  ];
}
