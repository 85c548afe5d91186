import type { Command } from 'commander';
import type { QueueCounts, ReviewQueue } from '@agonhq/ledger';
import { addExamples, addLedgerFlags, setLedgerAction } from '../define-command.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { printCount, formatMoment } from '../terminal/format.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';

const nothing: QueueCounts = {
  waiting: { first: 0, second: 0, dispute: 0 },
  overdue: 0,
  unassigned: 0,
  nextDue: null,
};

/** `agon queues list` */
export function defineQueuesList(command: Command): void {
  command
    .description('List the queues of reviewers in their order: what waits in each, and what is overdue.')
    .option('--json', 'print one JSON object per line');
  addLedgerFlags(command);
  addExamples(command, ['agon queues list', 'agon queues list --json']);
  setLedgerAction(command, async ({ ledger }: OpenLedger, flags: LedgerFlags & { json?: boolean }) => {
    const [queues, counts] = await Promise.all([ledger.queues.listQueues(), ledger.queues.countQueues()]);
    const rows = [
      ...queues,
      { id: 'default', name: 'Default', rules: {}, dueMinutes: null, assignees: [], createdAt: null },
    ].map((queue) => ({ ...queue, ...(counts.get(queue.id) ?? nothing) }));
    printLines(rows.map((row) => (flags.json ? JSON.stringify(row) : formatQueue(row))));
  });
}

/** `agon queues refill` */
export function defineQueuesRefill(command: Command): void {
  command.description(
    'Put every waiting case into the queue whose rules it meets. The server does it whenever a queue is changed; ' +
      'after one that was stopped meanwhile, this does.',
  );
  addLedgerFlags(command);
  addExamples(command, ['agon queues refill']);
  setLedgerAction(command, async ({ ledger }: OpenLedger) => {
    printLines([`${printCount(await ledger.queues.refillQueues(), 'case')} moved.`]);
  });
}

function formatQueue({ id, name, waiting, overdue, nextDue }: Pick<ReviewQueue, 'id' | 'name'> & QueueCounts): string {
  const { first, second, dispute } = waiting;
  const late = overdue > 0 ? style('red', `  ${overdue} overdue`) : '';
  const due = nextDue === null ? '' : style('dim', `  next due ${formatMoment(nextDue)}`);
  return (
    `${style('cyan', id.padEnd(14))}  ${sanitize(name)}  ${printCount(first + second + dispute, 'case')} waiting ` +
    `(${first} first, ${second} second, ${dispute} in dispute)${late}${due}`
  );
}
