import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { badFlag } from '@agonhq/engine/agon-error';
import type { LegalHold } from '@agonhq/ledger';
import { addExamples, addLedgerFlags, setLedgerAction } from '../define-command.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { readFutureMoment } from '../read-flags.ts';
import { formatMoment } from '../terminal/format.ts';
import { printLines, sanitize } from '../terminal/style.ts';
import { fitLines, formatColumns, type PrintedColumn } from '../terminal/table.ts';

interface PlaceFlags extends LedgerFlags {
  author?: string;
  reason: string;
  until?: string;
  by?: string;
  json?: boolean;
}

/** `agon holds place` */
export function defineHoldsPlace(command: Command): void {
  command
    .description(
      'Keep a case, or everything of an author, from being deleted: neither retention nor `agon ledger forget` takes ' +
        'away what a hold covers. A hold on a case covers every case about the same content, one on an author those ' +
        'that come later, too. It stands in the audit log.',
    )
    .argument('[case]', 'id of the case, or its beginning')
    .option('--author <id>', 'hold everything of this author, as the context of items names them')
    .requiredOption('--reason <text>', 'why nothing may be deleted')
    .option('--until <time>', 'when it ends by itself: 90d, 12h or 8w from now, or a date (default: when it is lifted)')
    .option('--by <name>', 'who places it (default: the user of this machine)')
    .option('--json', 'print the hold as JSON');
  addLedgerFlags(command);
  addExamples(command, [
    'agon holds place mod-315703c5ee85a07c --reason "Lawsuit 12/26"',
    'agon holds place --author user-4711 --reason "Request of the court" --until 2027-06-30 --by mara',
  ]);
  setLedgerAction(command, placeHold);
}

async function placeHold({ ledger }: OpenLedger, id: string | undefined, flags: PlaceFlags): Promise<void> {
  const { author, reason, until } = flags;
  if ((id === undefined) === (author === undefined))
    throw badFlag('A hold is on a case or on an author.', 'Name a case, or an author with --author.');
  const { requireCase } = await import('@agonhq/core/retrials');
  const about = id === undefined ? { author } : { case: (await requireCase(ledger, id)).id };
  const end = until === undefined ? null : readFutureMoment('--until', until);
  const hold = await ledger.holds.placeHold({ ...about, reason, until: end }, nameActor(flags));
  if (flags.json) printLines([JSON.stringify({ version: 1, ...hold })]);
  else printLines([`Placed ${hold.id} on ${sanitize(nameHeld(hold))}.`]);
}

function nameActor({ by }: { by?: string }) {
  return { by: by ?? userInfo().username, request: 'agon holds' };
}

interface LiftFlags extends LedgerFlags {
  why: string;
  by?: string;
  json?: boolean;
}

/** `agon holds lift` */
export function defineHoldsLift(command: Command): void {
  command
    .description('Lift a hold: what it covered can be deleted again. The hold itself stays on record.')
    .argument('<id>', 'id of the hold')
    .requiredOption('--why <text>', 'why it is over')
    .option('--by <name>', 'who lifts it (default: the user of this machine)')
    .option('--json', 'print the hold as JSON');
  addLedgerFlags(command);
  addExamples(command, ['agon holds lift hold-5be2a90c11d4f027 --why "The lawsuit was settled."']);
  setLedgerAction(command, liftHold);
}

async function liftHold({ ledger }: OpenLedger, id: string, flags: LiftFlags): Promise<void> {
  const hold = await ledger.holds.liftHold(id, flags.why, nameActor(flags));
  if (flags.json) printLines([JSON.stringify({ version: 1, ...hold })]);
  else printLines([`Lifted ${hold.id} on ${sanitize(nameHeld(hold))}.`]);
}

/** `agon holds list` */
export function defineHoldsList(command: Command): void {
  command
    .description('List the holds in force, newest first.')
    .option('--all', 'also those that were lifted or have ended')
    .option('--json', 'print one JSON object per line');
  addLedgerFlags(command);
  addExamples(command, ['agon holds list', 'agon holds list --all --json']);
  setLedgerAction(command, listHolds);
}

async function listHolds({ ledger }: OpenLedger, flags: { all?: boolean; json?: boolean }): Promise<void> {
  const holds = await ledger.holds.listHolds(flags.all ? {} : { inForce: true });
  if (flags.json) printLines(holds.map((hold) => JSON.stringify(hold)));
  else if (holds.length === 0) printLines([flags.all ? 'There was never a hold.' : 'No hold is in force.']);
  else printLines(fitLines(formatColumns(holds, columns, [...columns.keys()])));
}

const columns: PrintedColumn<LegalHold>[] = [
  ['id', ({ id }) => id],
  ['on', (hold) => sanitize(nameHeld(hold))],
  ['placed', ({ at }) => formatMoment(at)],
  ['by', ({ by }) => sanitize(by)],
  ['until', ({ until }) => (until ? formatMoment(until) : '–')],
  ['lifted', ({ lifted }) => (lifted ? `${formatMoment(lifted.at)} by ${sanitize(lifted.by)}` : '–')],
  ['reason', ({ reason }) => sanitize(reason)],
];

function nameHeld({ case: about, author }: LegalHold): string {
  return about === null ? `everything of the author ${author}` : `case ${about}`;
}
