import type { Command } from 'commander';
import type { AnsweredCase, RedactedOpening } from '@agonhq/ledger/bundle';
import type { Ledger, RunRow } from '@agonhq/ledger';
import { addExamples, addLedgerFlags, setLedgerAction } from '../define-command.ts';
import { saveFile, savePieces } from '../files.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { listenForInterrupt } from '../process.ts';
import { formatInteger } from '../terminal/format.ts';
import { sanitize } from '../terminal/style.ts';

interface BundleFlags extends LedgerFlags {
  out?: string;
  redact?: boolean;
  opening?: string;
}

/** `agon bundle ID` */
export function defineBundle(command: Command): void {
  command
    .description(
      'Write the evidence of a case, or of all cases of a run, to one signed file that others can check without this ' +
        'ledger: answer, subject, policy, precedents, prompts, models, what people decided, and the records.',
    )
    .argument('<id>', 'id of the case or of the run, or its beginning; or the name of a run')
    .option('--out <file>', 'file to write (default: ID.agon.zip; a redacted one does not tell the id)')
    .option('--redact', 'leave out what reveals the content, and put salted commitments in its place')
    .option('--opening <file>', 'with --redact: write what opens the commitments to this file; keep it to yourself');
  addLedgerFlags(command);
  addExamples(
    command,
    [
      'agon bundle mod-315703c5ee85a07c --out case.agon.zip',
      'agon bundle mod-3157 --redact --opening opening.json --out redacted.agon.zip',
      'agon bundle nightly --out nightly.agon.zip',
      'agon signing-key export > issuer.pem && agon verify case.agon.zip --key issuer.pem',
    ],
    'Made twice of the same records, a bundle is the same to the byte; so is what opens a redacted one.',
  );
  setLedgerAction(command, writeBundle);
}

const hint = 'Choose another file with --out or --opening.';

async function writeBundle({ ledger }: OpenLedger, id: string, flags: BundleFlags): Promise<void> {
  const { badFlag } = await import('@agonhq/engine/agon-error');
  if (flags.opening !== undefined && !flags.redact)
    throw badFlag('--opening is for redacted bundles.', 'Add --redact, or leave it out.');
  const found = await findSubject(ledger, id);
  const out = flags.out ?? (await nameFile(ledger, found, flags));
  const openings: RedactedOpening[] = [];
  const interrupt = listenForInterrupt();
  try {
    const bytes = await savePieces(out, makePieces(ledger, found, flags, openings, interrupt.signal), hint);
    if (flags.opening !== undefined)
      await saveFile(flags.opening, openings.map((opening) => `${JSON.stringify(opening)}\n`).join(''), hint, {
        mode: 0o600,
      });
    process.stderr.write(`Wrote ${sanitize(out)} (${formatInteger(bytes)} bytes).\n`);
  } finally {
    interrupt.dispose();
  }
}

async function nameFile(ledger: Ledger, { kind, record }: Found, { redact }: BundleFlags): Promise<string> {
  const { nameBundle, nameCase } = await import('@agonhq/ledger/bundle');
  const { sharedSecret } = await import('@agonhq/core/settings');
  const hides = redact && kind === 'case';
  return nameBundle(hides ? await nameCase(record.id, await sharedSecret(ledger, process.env)) : record.id);
}

type Found = { kind: 'case'; record: AnsweredCase } | { kind: 'run'; record: RunRow };

/** A run only where no case is called so. */
async function findSubject(ledger: Ledger, id: string): Promise<Found> {
  const { findRetriedCase, requireJudgedCase } = await import('@agonhq/core/retrials');
  const { findRun } = await import('@agonhq/core/runs');
  const run = (await findRetriedCase(ledger, id)) ? undefined : await findRun(ledger, id);
  if (run) return { kind: 'run', record: run };
  return { kind: 'case', record: await requireJudgedCase(ledger, id) };
}

async function* makePieces(
  ledger: Ledger,
  found: Found,
  { redact }: BundleFlags,
  openings: RedactedOpening[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const { bundleCase, bundleRun, openSigningKey } = await import('@agonhq/ledger/bundle');
  const { sharedSecret } = await import('@agonhq/core/settings');
  const key = await openSigningKey(process.env);
  const secret = redact ? await sharedSecret(ledger, process.env) : undefined;
  const options = { key, ...(secret === undefined ? {} : { redactWith: secret }) };
  if (found.kind === 'run') {
    yield* bundleRun(ledger, found.record, { ...options, signal, onOpening: (opening) => void openings.push(opening) });
    return;
  }
  const { bytes, opening } = await bundleCase(ledger, found.record, options);
  if (opening) openings.push(opening);
  yield bytes;
}
