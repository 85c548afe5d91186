import type { Command } from 'commander';
import type { ProofReport } from '@agonhq/ledger/checkpoints';
import { AgonError } from '@agonhq/engine/agon-error';
import { addExamples, addLedgerFlags, setLedgerAction } from '../define-command.ts';
import { readTextFile, saveFile } from '../files.ts';
import type { OpenLedger } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { renderChecks, renderOutcome } from '../terminal/checks.ts';
import { printCount } from '../terminal/format.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';

/** `agon ledger prove` */
export function defineLedgerProve(command: Command): void {
  command
    .description(
      'Write a proof that a case is on record: its records as leaves of the trees, the way from each to a ' +
        'checkpoint, and its signature. `agon verify` checks it offline, with the public key. ' +
        'Where the last checkpoint ' +
        'does not hold all of it yet, one is made.',
    )
    .argument('<case>', 'id of the case, or its beginning')
    .option('--out <file.json>', 'write it to this file (default: standard output)')
    .option('--redact', 'leave out what the records say: that they were written, and when, is proved all the same');
  addLedgerFlags(command);
  addExamples(command, [
    'agon ledger prove mod-315703c5ee85a07c --out proof.json',
    'agon signing-key export > issuer.pem && agon verify proof.json --key issuer.pem',
    'agon verify proof.json --key issuer.pem --source answer.json',
  ]);
  setLedgerAction(command, proveCase);
}

async function proveCase(
  { ledger, settings }: OpenLedger,
  id: string,
  { out, redact = false }: { out?: string; redact?: boolean },
): Promise<void> {
  const checkpoints = await import('@agonhq/ledger/checkpoints');
  const { listPublicKeys, openSigningKey } = await import('@agonhq/ledger/bundle');
  const { requireCase } = await import('@agonhq/core/retrials');
  const found = await requireCase(ledger, id);
  const proof = await checkpoints.proveCase(ledger, found, {
    signer: await openSigningKey(process.env),
    publicKeys: await listPublicKeys(process.env),
    authority: settings.checkpoints?.authority,
    redact,
  });
  const text = JSON.stringify(proof, null, 2);
  if (out === undefined) printLines([text]);
  else {
    await saveFile(out, `${text}\n`, 'Choose another file with --out.', { mode: 0o600 });
    process.stderr.write(`Proved ${printCount(proof.records.length, 'record')} of ${found.id} in ${sanitize(out)}.\n`);
  }
}

/** Whether a file may be a proof: the rest of it is read with care. */
export function isProof(json: string): boolean {
  return json.slice(0, 200).includes('"agon-inclusion-proof/');
}

/** Checks a proof without a ledger and without settings. */
export async function verifyProofFile(
  json: string,
  file: string,
  { key, source, json: asJson }: { key?: string; source?: string[]; json?: boolean },
): Promise<number> {
  const { readKeys, readProof, verifyProof } = await import('@agonhq/ledger/checkpoints');
  const proof = readProof(json);
  if (!proof)
    throw new AgonError(
      'unreadable-proof',
      `${file} is not a proof that Agon wrote.`,
      'Pass what `agon ledger prove` wrote.',
    );
  const keys = key === undefined ? undefined : readKeys(await readTextFile(key));
  if (keys?.size === 0)
    throw new AgonError(
      'unreadable-proof',
      `${key} holds no public key.`,
      'Pass what `agon signing-key export` writes.',
    );
  const [answer] = source ?? [];
  const report = verifyProof(proof, {
    keys,
    answer: answer === undefined ? undefined : { name: answer, text: await readTextFile(answer) },
  });
  printLines(asJson ? [JSON.stringify({ version: 1, ...report })] : renderReport(report));
  return report.holds ? exitCodes.judged : exitCodes.failed;
}

function renderReport(report: ProofReport): string[] {
  const records = report.records.map(({ kind, part, writtenAt }) =>
    style('dim', sanitize(`  ${kind}${part === '' ? '' : ` ${part}`}, written ${writtenAt}`)),
  );
  return [
    ...renderChecks(report.checks),
    `Case ${sanitize(report.case)}:`,
    ...records,
    renderOutcome(report.holds, 'The proof'),
  ];
}
