import { Option, type Command } from 'commander';
import type { OpenedBackup, RestoreReport, Secrets } from '@agonhq/ledger/backup';
import { badFlag } from '@agonhq/engine/agon-error';
import { careForLedger, type LedgerCare } from '@agonhq/ledger';
import { addExamples, addLedgerFlags, setAction } from '../define-command.ts';
import { readTextFile, savePieces } from '../files.ts';
import { requirePlace, type LedgerFlags } from '../open-ledger.ts';
import { readInstallation } from '../read-settings.ts';
import { printCount, formatInteger } from '../terminal/format.ts';
import { printLines, sanitize } from '../terminal/style.ts';

interface BackupFlags extends LedgerFlags {
  out: string;
  /** True without a word. */
  withKey?: 'encrypted' | 'plain' | true;
  passphraseFile?: string;
  json?: boolean;
}

/** `agon ledger backup` */
export function defineLedgerBackup(command: Command): void {
  command
    .description(
      'Write everything in the ledger at one moment to a file, while others write: cases, keys, webhooks, trees and ' +
        'checkpoints. `agon ledger restore` reads it, into SQLite or PostgreSQL. Its hashes are signed.',
    )
    .requiredOption('--out <file>', 'file to write; it appears when it is whole')
    .addOption(
      new Option(
        '--with-key [how]',
        'put the signing key into it, encrypted with a passphrase (AGON_BACKUP_PASSPHRASE, or --passphrase-file), ' +
          'or "plain"',
      ).choices(['encrypted', 'plain']),
    )
    .option('--passphrase-file <file>', 'file that holds the passphrase')
    .option('--json', 'print what was written as JSON');
  addLedgerFlags(command);
  addExamples(command, [
    'agon ledger backup --out agon-2026-11-18.backup',
    'AGON_BACKUP_PASSPHRASE=… agon ledger backup --out agon.backup --with-key',
    'agon ledger restore agon.backup --check',
  ]);
  setAction(command, backUpLedger);
}

async function backUpLedger(flags: BackupFlags): Promise<void> {
  await using care = await openCare(flags);
  const { bytes, rows, schema } = await writeBackup(care, flags);
  if (flags.json) printLines([JSON.stringify({ version: 1, file: flags.out, bytes, rows, schema })]);
  else
    process.stderr.write(
      `Wrote ${printCount(rows, 'row')} to ${sanitize(flags.out)} (${formatInteger(bytes)} bytes).\n`,
    );
}

/** Opens the ledger that the flags name as it is; where there has to be one, it is not made. */
export async function openCare(flags: LedgerFlags, { create = false } = {}): Promise<LedgerCare> {
  return careForLedger(requirePlace((await readInstallation(flags)).settings, { create }));
}

/** Writes a backup to a file, whole or not at all. */
export async function writeBackup(
  care: LedgerCare,
  { out, withKey, passphraseFile }: Pick<BackupFlags, 'out' | 'withKey' | 'passphraseFile'>,
): Promise<{ bytes: number; rows: number; schema: number }> {
  const { makeBackup, sealSecrets } = await import('@agonhq/ledger/backup');
  const { listPublicKeys, openSigningKey, readPrivateKey } = await import('@agonhq/ledger/bundle');
  const { findInstallationSecret } = await import('@agonhq/core/settings');
  const passphrase = await readPassphrase(passphraseFile);
  if (withKey !== undefined && withKey !== 'plain' && passphrase === null)
    throw badFlag(
      '--with-key needs a passphrase.',
      'Set AGON_BACKUP_PASSPHRASE, name a file with --passphrase-file, or say --with-key plain.',
    );
  const signer = await openSigningKey(process.env);
  const secrets =
    withKey === undefined
      ? null
      : await sealSecrets(
          { signingKey: await readPrivateKey(process.env), secret: await findInstallationSecret(process.env) },
          withKey === 'plain' ? null : passphrase,
        );
  const publicKeys = (await listPublicKeys(process.env)).map(({ pem }) => pem).join('');
  let rows = 0;
  let schema = 0;
  const pieces = makeBackup(care, {
    signer,
    publicKeys,
    secrets,
    onDone(manifest) {
      rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
      ({ schema } = manifest);
    },
  });
  return { bytes: await savePieces(out, pieces, 'Choose another file with --out.'), rows, schema };
}

async function readPassphrase(file: string | undefined): Promise<string | null> {
  if (file !== undefined) return (await readTextFile(file)).replace(/\r?\n$/, '') || null;
  return process.env['AGON_BACKUP_PASSPHRASE'] || null;
}

interface RestoreFlags extends LedgerFlags {
  key?: string;
  withKey?: boolean;
  passphraseFile?: string;
  check?: boolean;
  json?: boolean;
}

/** `agon ledger restore` */
export function defineLedgerRestore(command: Command): void {
  command
    .description(
      'Restore a backup into a ledger that is empty or not there yet, all of it or nothing: SQLite or PostgreSQL, ' +
        'whichever it came from. A backup that was cut short or altered is refused. A backup of an older schema is ' +
        'brought up to date.',
    )
    .argument('<file>', 'what `agon ledger backup` wrote')
    .option('--key <public.pem>', 'refuse it unless one of these keys has signed it')
    .option('--with-key', 'restore the signing key, too, unless there is another')
    .option('--passphrase-file <file>', 'file that holds the passphrase of the key (or AGON_BACKUP_PASSPHRASE)')
    .option('--check', 'read and compare everything, and restore nothing')
    .option('--json', 'print what was restored as JSON');
  addLedgerFlags(command);
  addExamples(command, [
    'agon ledger restore agon.backup --check',
    'agon ledger restore agon.backup --ledger restored.sqlite --key issuer.pem',
    'AGON_BACKUP_PASSPHRASE=… agon ledger restore agon.backup --with-key --ledger postgres://agon@db/agon',
  ]);
  setAction(command, restoreLedger);
}

async function restoreLedger(file: string, flags: RestoreFlags): Promise<void> {
  const { checkBackup, openBackup, restoreBackup } = await import('@agonhq/ledger/backup');
  const { installSigningKey, keepPublicKeys } = await import('@agonhq/ledger/bundle');
  const { installSecret } = await import('@agonhq/core/settings');
  const { readKeys } = await import('@agonhq/ledger/checkpoints');
  const keys = flags.key === undefined ? undefined : readKeys(await readTextFile(flags.key));
  const backup = await openBackup(file, { keys });
  if (flags.check) return tell(await checkBackup(backup), file, flags, null);
  const secrets = flags.withKey ? await readSecrets(backup, flags) : null;
  // Before anything is written: what is wrong with the key is wrong now.
  if (secrets) await installSigningKey(process.env, secrets.signingKey, { dryRun: true });
  await using care = await openCare(flags, { create: true });
  const report = await restoreBackup(care, backup);
  await keepPublicKeys(process.env, backup.head.publicKeys);
  if (secrets) {
    await installSigningKey(process.env, secrets.signingKey);
    if (secrets.secret !== null) await installSecret(process.env, secrets.secret);
  }
  tell(report, file, flags, care.place);
}

async function readSecrets({ head }: OpenedBackup, flags: RestoreFlags): Promise<Secrets> {
  const { openSecrets } = await import('@agonhq/ledger/backup');
  if (head.secrets) return openSecrets(head.secrets, await readPassphrase(flags.passphraseFile));
  throw badFlag('The backup holds no signing key.', 'Leave out --with-key.');
}

function tell(report: RestoreReport, file: string, { json }: RestoreFlags, place: string | null): void {
  const { rows, madeAt, signedBy, isKnown } = report;
  const signer = isKnown
    ? 'signed with a key that was given'
    : `signed with ${signedBy}, which nobody vouched for (--key)`;
  if (json) printLines([JSON.stringify({ version: 1, restored: place !== null, place, ...report })]);
  else if (place === null)
    printLines([`${sanitize(file)} is whole: ${printCount(rows, 'row')} of ${madeAt}, ${signer}.`]);
  else
    printLines([
      `Restored ${printCount(rows, 'row')} of ${madeAt} to ${sanitize(place)}, ${signer}.`,
      'See that nobody rewrote it before: agon ledger audit --checkpoint FILE-KEPT-ELSEWHERE',
    ]);
}
