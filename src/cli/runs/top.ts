import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { AgonError } from '../../errors.ts';
import type { Ledger } from '../../ledger/index.ts';
import type { Snapshot } from '../../runs/index.ts';
import { addExamples, setLedgerAction, addLedgerFlags } from '../define-command.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { formatError } from '../print-error.ts';
import { listenForInterrupt } from '../process.ts';
import { formatDuration, formatInteger, formatMoney } from '../terminal/format.ts';
import { drawLive } from '../terminal/live-view.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import { fitLines, formatTable } from '../terminal/table.ts';

interface TopFlags extends LedgerFlags {
  once?: boolean;
  json?: boolean;
}

/** `agon runs top` */
export function defineRunsTop(command: Command): void {
  command
    .description(
      'Watch active runs and, on PostgreSQL, their workers. A terminal is refreshed every second; elsewhere the ' +
        'current state is printed once.',
    )
    .option('--once', 'print the current state once, even in a terminal')
    .option('--json', 'print the current state once, as JSON');
  addLedgerFlags(command);
  addExamples(command, [
    'agon runs top',
    'agon runs top --ledger postgres://agon@db/agon',
    'agon runs top --json | jq ".runs[].rate"',
  ]);
  setLedgerAction(command, watchRuns);
}

const refreshMs = 1000;

async function watchRuns({ ledger }: OpenLedger, flags: TopFlags): Promise<void> {
  const { takeSnapshot } = await import('../../runs/index.ts');
  if (flags.json) printLines([JSON.stringify(await takeSnapshot(ledger))]);
  else if (flags.once || !process.stdout.isTTY) printLines(renderSnapshot(await takeSnapshot(ledger)));
  else await refreshUntilInterrupt(ledger, takeSnapshot);
}

/** A ledger that cannot be reached for a while is asked again. */
async function refreshUntilInterrupt(
  ledger: Ledger,
  takeSnapshot: (ledger: Ledger) => Promise<Snapshot>,
): Promise<void> {
  const { signal, dispose } = listenForInterrupt();
  let snapshot: Snapshot = await takeSnapshot(ledger);
  let problem: string[] = [];
  let tookMs = 0;
  const drawing = drawLive(process.stdout, () => [
    {
      done: false,
      lines: [...renderSnapshot(snapshot), ...problem, style('dim', 'Press Ctrl-C to leave; the runs continue.')],
    },
  ]);
  try {
    while (!signal.aborted) {
      drawing.changed();
      // Counting a large run takes a while, and must not slow down the workers.
      await pause(Math.max(refreshMs, 4 * tookMs), undefined, { signal }).catch(() => undefined);
      const began = performance.now();
      try {
        snapshot = await takeSnapshot(ledger);
        problem = [];
      } catch (error) {
        if (!AgonError.is(error)) throw error;
        problem = [style('yellow', sanitize(formatError(error)))];
      }
      tookMs = performance.now() - began;
    }
  } finally {
    drawing.end();
    dispose();
  }
}

const runHeading = ['run', 'job', 'done', 'rate', 'left', 'waiting', 'running', 'failed', 'spend', '$/h'];
const workerHeading = ['worker', 'host:pid', 'state', 'running', 'judged', 'failed', 'seen'];

/** Active runs and their workers. */
export function renderSnapshot({ at, runs, workers }: Snapshot): string[] {
  return fitLines([
    ...(runs.length === 0 ? ['There are no active runs.'] : formatTable([runHeading, ...runs.map(formatRun)], [0, 1])),
    ...(workers === null
      ? []
      : [
          '',
          ...(workers.length === 0
            ? [style('yellow', 'There are no workers. Start one: agon worker')]
            : formatTable([workerHeading, ...workers.map((worker) => formatWorker(worker, at))], [0, 1, 2])),
        ]),
  ]);
}

function formatRun(run: Snapshot['runs'][number]): string[] {
  return [
    sanitize(run.name === null ? run.id : `${run.name} (${run.id})`),
    run.job,
    `${formatInteger(run.done)}/${run.total === null ? '?' : formatInteger(run.total)}`,
    `${run.rate.toFixed(1)}/s`,
    run.etaSeconds === null ? '–' : formatDuration(run.etaSeconds),
    ...[run.waiting, run.running, run.failed].map(formatInteger),
    formatMoney(run.costUsd),
    formatMoney(run.usdPerHour),
  ];
}

function formatWorker(worker: NonNullable<Snapshot['workers']>[number], at: Date): string[] {
  return [
    sanitize(worker.id),
    sanitize(`${worker.host}:${worker.pid}`),
    worker.alive ? worker.state : 'gone',
    `${worker.running}/${worker.concurrency}`,
    formatInteger(worker.judged),
    formatInteger(worker.failed),
    `${formatDuration(Math.max(0, (at.getTime() - worker.seenAt.getTime()) / 1000))} ago`,
  ];
}
