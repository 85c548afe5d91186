import path from 'node:path';
import type { Command } from 'commander';
import type { LedgerAudit, MadeCheckpoint } from '@agonhq/ledger/checkpoints';
import { AgonError } from '@agonhq/engine/agon-error';
import { addExamples, addLedgerFlags, collect, setLedgerAction } from '../define-command.ts';
import { readTextFile, saveFile } from '../files.ts';
import type { OpenLedger } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { renderChecks, renderOutcome } from '../terminal/checks.ts';
import { formatInteger } from '../terminal/format.ts';
import { openStatusLine } from '../terminal/progress-line.ts';
import { printLines, sanitize } from '../terminal/style.ts';

/** `agon ledger checkpoint` */
export function defineLedgerCheckpoint(command: Command): void {
  command
    .description(
      'Sign what the ledger holds now, in a few hundred bytes. Keep the file elsewhere: with it, `agon ledger audit` ' +
        'notices when the ledger was rewritten or rolled back since. Where nothing new was written, the last ' +
        'checkpoint stands.',
    )
    .option('--out <file>', 'write it to this file, and its time stamp to FILE.tsr (default: standard output)')
    .option('--json', 'print what was made as JSON');
  addLedgerFlags(command);
  addExamples(command, [
    'agon ledger checkpoint --out /mnt/elsewhere/checkpoint.json',
    'AGON_TIME_STAMP_URL=https://tsa.example.org agon ledger checkpoint --out checkpoint.json',
    'openssl ts -verify -data checkpoint.json -in checkpoint.json.tsr -CAfile authority.pem',
  ]);
  setLedgerAction(command, signLedger);
}

async function signLedger({ ledger, settings }: OpenLedger, flags: { out?: string; json?: boolean }): Promise<void> {
  const { openSigningKey } = await import('@agonhq/ledger/bundle');
  const { makeCheckpoint } = await import('@agonhq/ledger/checkpoints');
  const signer = await openSigningKey(process.env);
  const made = await makeCheckpoint(ledger, { signer, authority: settings.checkpoints?.authority });
  if (!made) {
    printLines([flags.json ? JSON.stringify({ version: 1, checkpoint: null }) : 'Nothing was written yet.']);
    return;
  }
  if (flags.out !== undefined) {
    await saveFile(flags.out, made.envelope, 'Choose another file with --out.');
    if (made.timeStamp) await saveFile(`${flags.out}.tsr`, made.timeStamp, 'Choose another file with --out.');
  }
  if (flags.json) printLines([JSON.stringify({ version: 1, checkpoint: describeMade(made) })]);
  else if (flags.out === undefined) printLines([made.envelope.trimEnd()]);
  process.stderr.write(`${renderMade(made, flags.out)}\n`);
}

function describeMade({ number, madeAt, isNew, envelope, timeStamp, timeStampProblem }: MadeCheckpoint) {
  return { number, madeAt, isNew, envelope, timeStamped: timeStamp !== null, timeStampProblem };
}

function renderMade({ number, isNew, timeStamp, timeStampProblem }: MadeCheckpoint, out: string | undefined): string {
  const file = out === undefined ? '' : ` in ${sanitize(out)}`;
  return [
    isNew ? `Checkpoint ${number}${file}.` : `Nothing new was written since checkpoint ${number}${file}.`,
    timeStamp && `Its time stamp is${out === undefined ? ' in the ledger' : ` in ${sanitize(out)}.tsr`}.`,
    timeStampProblem && `It has no time stamp: ${sanitize(timeStampProblem)}`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** `agon ledger audit` */
export function defineLedgerAudit(command: Command): void {
  command
    .description(
      'Check whether the ledger was rewritten: compare every record with what was entered when it was written, and ' +
        'the entries with the checkpoints, those in the ledger and those that you kept. Changes nothing. Exit code 1 ' +
        'where something does not hold.',
    )
    .option('--checkpoint <file>', 'a checkpoint that was kept elsewhere (repeatable)', collect)
    .option('--key <file>', 'public keys that checkpoints may be signed with (default: those of this installation)')
    .option('--json', 'print what was found as JSON');
  addLedgerFlags(command);
  addExamples(command, [
    'agon ledger audit',
    'agon ledger audit --checkpoint /mnt/elsewhere/checkpoint.json',
    'agon ledger audit --ledger postgres://agon@db/agon --checkpoint checkpoint.json --key issuer.pem --json',
  ]);
  setLedgerAction(command, auditLedger);
}

interface AuditFlags {
  checkpoint?: string[];
  key?: string;
  json?: boolean;
}

async function auditLedger({ ledger }: OpenLedger, flags: AuditFlags): Promise<number> {
  const checkpoints = await import('@agonhq/ledger/checkpoints');
  const keys = checkpoints.readKeys(await readKeyFile(flags.key));
  if (keys.size === 0)
    throw new AgonError(
      'unreadable-checkpoint',
      `${flags.key} holds no public key.`,
      'Pass the file that `agon signing-key export` writes.',
    );
  const kept = await Promise.all(
    (flags.checkpoint ?? []).map(async (file) => ({ name: path.basename(file), text: await readTextFile(file) })),
  );
  const status = openStatusLine({ quiet: !process.stderr.isTTY });
  const onProgress = (checked: number, all: number) =>
    status.show(`${formatInteger(checked)} of ${formatInteger(all)} entries`);
  const audit = await checkpoints.auditLedger(ledger, { keys, kept, onProgress }).finally(status.clear);
  printLines(flags.json ? [JSON.stringify({ version: 1, ...audit })] : renderAudit(audit));
  return audit.holds ? exitCodes.judged : exitCodes.failed;
}

async function readKeyFile(file: string | undefined): Promise<string> {
  if (file !== undefined) return readTextFile(file);
  const { listPublicKeys } = await import('@agonhq/ledger/bundle');
  return (await listPublicKeys(process.env)).map(({ pem }) => pem).join('');
}

const problemsShown = 20;

function renderAudit({ holds, checks, records }: LedgerAudit): string[] {
  const more = records.problemCount - Math.min(records.problems.length, problemsShown);
  return [
    ...renderChecks(checks),
    ...records.problems.slice(0, problemsShown).map(({ message }) => `  ${sanitize(message)}`),
    ...(more > 0 ? [`  … and ${formatInteger(more)} more (--json lists up to 1,000)`] : []),
    renderOutcome(holds, 'The ledger'),
  ];
}
