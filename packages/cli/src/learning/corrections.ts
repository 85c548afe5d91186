import type { Command } from 'commander';
import { showCorrection, type JobCorrection } from '@agonhq/judges/job';
import { toOneLine } from '@agonhq/engine/text';
import { addExamples, addLedgerFlags, setLedgerAction } from '../define-command.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { printCount, formatMoment } from '../terminal/format.ts';
import { readableWidth } from '../terminal/live-view.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import { indentText, wrapText } from '../terminal/table.ts';

interface CorrectionFlags extends LedgerFlags {
  label?: string;
  why?: string;
  by?: string;
  all?: boolean;
  json?: boolean;
}

/** `agon corrections add ID CLAIM` */
export function defineCorrectionsAdd(command: Command): void {
  command
    .description(
      'Correct the verdict on a claim of an analysis. The analysis stays as it is, the correction stands beside it; ' +
        'later analyses recall it on the same claim and on claims alike.',
    )
    .argument('<id>', 'id of the analysis, or its beginning')
    .argument('<claim>', 'claim: its number or its id')
    .requiredOption(
      '--label <label>',
      'correct verdict: verified-strong, supported, mixed, contradicted, unsupported or undecided',
    )
    .requiredOption('--why <text>', 'reason: what the verdict overlooks')
    .option('--by <name>', 'who says so (default: feedback)')
    .option('--json', 'print the correction as JSON');
  addLedgerFlags(command);
  addExamples(command, [
    'agon corrections add docs-007082a3e70a2c94 2 --label supported --why "Stated before freight." --by "Ana Silva"',
    'agon corrections add docs-0070 claim-03 --label mixed --why "Note 7 bears out the demand." --json',
  ]);
  setLedgerAction(command, addCorrection);
}

async function addCorrection(
  { ledger, jobs }: OpenLedger,
  id: string,
  claim: string,
  flags: CorrectionFlags,
): Promise<void> {
  const { correctClaim } = await import('@agonhq/core/learning');
  const { requireCase } = await import('@agonhq/core/retrials');
  const { label = '', why = '', by } = flags;
  const found = await requireCase(ledger, id);
  const correction = await correctClaim(jobs, ledger, { case: found.id, claim, label, why, by });
  if (flags.json) return printLines([toLine(correction)]);
  printLines([
    ...renderCorrection(correction),
    `Recorded, for later analyses of the same claim. \`agon corrections withdraw ${correction.id}\` takes it back.`,
  ]);
}

/** `agon corrections list [ID]` */
export function defineCorrectionsList(command: Command): void {
  command
    .description('List the corrections that stand: those of one analysis, or all.')
    .argument('[id]', 'id of the analysis, or its beginning')
    .option('--all', 'those that were withdrawn or replaced, too')
    .option('--json', 'print one JSON object per line');
  addLedgerFlags(command);
  addExamples(command, [
    'agon corrections list',
    'agon corrections list docs-007082a3e70a2c94 --all',
    'agon corrections list --json',
  ]);
  setLedgerAction(command, printCorrections);
}

async function printCorrections({ ledger }: OpenLedger, id: string | undefined, flags: CorrectionFlags): Promise<void> {
  const { listCorrections } = await import('@agonhq/core/learning');
  const { requireCase } = await import('@agonhq/core/retrials');
  const corrections = await listCorrections(ledger, {
    ...(id === undefined ? {} : { case: (await requireCase(ledger, id)).id }),
    standing: flags.all !== true,
  });
  if (flags.json) return printLines(corrections.map(toLine));
  printLines([
    ...corrections.flatMap(renderCorrection),
    style('dim', corrections.length === 0 ? 'No corrections.' : printCount(corrections.length, 'correction')),
  ]);
}

/** `agon corrections withdraw ID` */
export function defineCorrectionsWithdraw(command: Command): void {
  command
    .description('Take a correction back. It stays on record, and later analyses no longer recall it.')
    .argument('<correction>', 'id of the correction')
    .option('--why <text>', 'reason')
    .option('--by <name>', 'who takes it back (default: feedback)')
    .option('--json', 'print the correction as JSON');
  addLedgerFlags(command);
  addExamples(command, [
    'agon corrections withdraw cor-5be2a90c11d4f027 --why "I misread the table." --by "Ana Silva"',
    'agon corrections withdraw cor-5be2a90c11d4f027 --json',
  ]);
  setLedgerAction(command, withdraw);
}

async function withdraw({ ledger }: OpenLedger, id: string, flags: CorrectionFlags): Promise<void> {
  const { withdrawCorrection } = await import('@agonhq/core/learning');
  const correction = await withdrawCorrection(ledger, id, { by: flags.by, why: flags.why });
  printLines(flags.json ? [toLine(correction)] : renderCorrection(correction));
}

function toLine(correction: JobCorrection): string {
  return JSON.stringify(showCorrection(correction));
}

/** Who corrected what, and whether it stands. */
export function renderCorrection(correction: JobCorrection): string[] {
  const { id, case: of, claim, text, verdict, label, why, by, at, withdrawn } = correction;
  const width = readableWidth(process.stdout);
  const indented = (words: string) => indentText(toOneLine(words), width);
  const taken = withdrawn
    ? `Withdrawn by ${withdrawn.by}, ${formatMoment(withdrawn.at)}${withdrawn.why === null ? '' : `: ${withdrawn.why}`}`
    : '';
  return [
    ...wrapText(
      `${style('cyan', sanitize(id))} ${sanitize(of)}, claim ${sanitize(claim.replace(/^claim-0*/, ''))}: ` +
        `${sanitize(verdict)} → ${style('bold', sanitize(label))}`,
      width,
    ),
    ...indented(`“${text}”`),
    ...indented(`${by}, ${formatMoment(at)}: ${why}`),
    ...(taken === '' ? [] : indented(taken).map((line) => style('yellow', line))),
  ];
}
