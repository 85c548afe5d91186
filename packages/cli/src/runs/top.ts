import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Ledger } from '@agonhq/ledger';
import type { Snapshot } from '@agonhq/core/runs';
import { addExamples, setLedgerAction, addLedgerFlags } from '../define-command.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { formatError } from '../print-error.ts';
import { listenForInterrupt } from '../process.ts';
import { formatDone, printDuration, formatInteger, formatMoney } from '../terminal/format.ts';
import { drawLive } from '../terminal/live-view.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import { fitLines, formatColumns, type PrintedColumn } from '../terminal/table.ts';

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
  const { takeSnapshot } = await import('@agonhq/core/runs');
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

const runColumns: PrintedColumn<Snapshot['runs'][number]>[] = [
  ['run', ({ id, name }) => sanitize(name === null ? id : `${name} (${id})`)],
  ['job', ({ job }) => job],
  ['done', ({ done, total }) => formatDone(done, total)],
  ['rate', ({ rate }) => `${rate.toFixed(1)}/s`],
  ['left', ({ etaSeconds }) => (etaSeconds === null ? '–' : printDuration(etaSeconds))],
  ['waiting', ({ waiting }) => formatInteger(waiting)],
  ['running', ({ running }) => formatInteger(running)],
  ['failed', ({ failed }) => formatInteger(failed)],
  ['spend', ({ costUsd }) => formatMoney(costUsd)],
  ['$/h', ({ usdPerHour }) => formatMoney(usdPerHour)],
];

type Worker = NonNullable<Snapshot['workers']>[number];

const workerColumns = (at: Date): PrintedColumn<Worker>[] => [
  ['worker', ({ id }) => sanitize(id)],
  ['host:pid', ({ host, pid }) => sanitize(`${host}:${pid}`)],
  ['state', ({ alive, state }) => (alive ? state : 'gone')],
  ['running', ({ running, concurrency }) => `${running}/${concurrency}`],
  ['judged', ({ judged }) => formatInteger(judged)],
  ['failed', ({ failed }) => formatInteger(failed)],
  ['seen', ({ seenAt }) => `${printDuration(Math.max(0, (at.getTime() - seenAt.getTime()) / 1000))} ago`],
];

/** Active runs and their workers. */
export function renderSnapshot({ at, runs, workers }: Snapshot): string[] {
  return fitLines([
    ...(runs.length === 0 ? ['There are no active runs.'] : formatColumns(runs, runColumns, [0, 1])),
    ...(workers === null
      ? []
      : [
          '',
          ...(workers.length === 0
            ? [style('yellow', 'There are no workers. Start one: agon worker')]
            : formatColumns(workers, workerColumns(at), [0, 1, 2])),
        ]),
  ]);
}
