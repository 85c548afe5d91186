import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { agonHome } from '@agonhq/engine/agon-home';
import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import { cannotWriteError } from '@agonhq/engine/items/cannot-write';
import type { LedgerCare } from '@agonhq/ledger';
import { addExamples, addLedgerFlags, setAction } from '../define-command.ts';

import { withLedger, type LedgerFlags } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { printLines, sanitize } from '../terminal/style.ts';
import { openCare, writeBackup } from './ledger-backup.ts';

interface UpgradeFlags extends LedgerFlags {
  /** False where there is to be none. */
  backup?: string | false;
  allTeams?: boolean;
  create?: boolean;
  json?: boolean;
}

/** `agon ledger upgrade` */
export function defineLedgerUpgrade(command: Command): void {
  command
    .description(
      'Bring a ledger of an older schema up to date, after a backup of it, and check that nothing was changed. ' +
        'Other commands bring it up to date as well when they open it, without a backup.',
    )
    .option('--backup <file>', 'file for the backup (default: in AGON_HOME/backups)')
    .option('--no-backup', 'make no backup')
    .option('--create', 'make the ledger where there is none')
    .option('--all-teams', 'the ledger of every team, too')
    .option('--json', 'print what was done as JSON');
  addLedgerFlags(command);
  addExamples(command, [
    'agon ledger upgrade',
    'agon ledger upgrade --backup before.backup',
    'agon ledger upgrade --create --all-teams --no-backup',
  ]);
  setAction(command, upgradeLedger);
}

async function upgradeLedger(flags: UpgradeFlags): Promise<number> {
  if (!flags.allTeams) return upgradeOne(flags);
  if (flags.team !== undefined || typeof flags.backup === 'string')
    throw badFlag('--all-teams goes with neither --team nor --backup.', 'Backups are made in AGON_HOME/backups.');
  let code = await upgradeOne({ ...flags, team: '' });
  const teams = await withLedger({ ...flags, team: '' }, (ledger) => ledger.teams.listTeams());
  for (const { name } of teams) {
    if (!flags.json) printLines([`Team ${name}:`]);
    code = Math.max(code, await upgradeOne({ ...flags, team: name }));
  }
  return code;
}

async function upgradeOne(flags: UpgradeFlags): Promise<number> {
  const done = await bringUpToDate(flags).catch(async (error: unknown) => {
    if (!flags.create || !AgonError.is(error) || error.code !== 'no-ledger') throw error;
    return withLedger(flags, makeNothing, { create: true });
  });
  if (done === null) {
    printLines([flags.json ? JSON.stringify({ version: 1, made: true }) : 'The ledger was made, with this schema.']);
    return exitCodes.judged;
  }
  const problems = done.from === done.to ? 0 : await countProblems(flags);
  if (flags.json)
    printLines([JSON.stringify({ version: 1, ...(flags.team ? { team: flags.team } : {}), ...done, problems })]);
  else if (done.from === done.to) printLines([`The ledger is up to date: it has schema ${done.to}.`]);
  else
    printLines([
      `The ledger has schema ${done.to} now, and had ${done.from}.` +
        (done.backup === null ? '' : ` The backup of before: ${sanitize(done.backup)}.`),
      problems === 0
        ? 'Every record is as it was written.'
        : `${problems} records are not as they were written: see \`agon ledger audit\`.`,
    ]);
  return problems === 0 ? exitCodes.judged : exitCodes.failed;
}

/** Opening it makes it. */
const makeNothing = async () => null;

async function bringUpToDate(flags: UpgradeFlags): Promise<{ from: number; to: number; backup: string | null }> {
  await using care = await openCare(flags);
  const from = await care.readSchema();
  const to = care.newestSchema;
  if (from === to) return { from, to, backup: null };
  const backup = flags.backup === false ? null : await backUp(care, { team: flags.team, backup: flags.backup }, from);
  await care.upgrade();
  return { from, to, backup };
}

async function countProblems(flags: LedgerFlags): Promise<number> {
  return withLedger(flags, async (ledger) => (await ledger.records.audit()).problemCount);
}

/** Where nobody named a file, one that says what it is of and when. */
async function backUp(
  care: LedgerCare,
  { backup: named, team }: { backup: string | undefined; team: string | undefined },
  schema: number,
): Promise<string> {
  const moment = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const folder = path.join(agonHome(process.env), 'backups');
  const out = named ?? path.join(folder, `ledger-${team ? `${team}-` : ''}schema-${schema}-${moment}.backup`);
  if (named === undefined)
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw cannotWriteError(folder, error, 'Name a file with --backup.');
    });
  await writeBackup(care, { out });
  return out;
}
