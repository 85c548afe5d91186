import type { Command } from 'commander';
import { AgonError } from '@agonhq/engine/agon-error';
import type { ForgottenAuthor } from '@agonhq/ledger';
import { addExamples, addLedgerFlags, setLedgerAction } from '../define-command.ts';
import { savePieces } from '../files.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { confirm, listenForInterrupt } from '../process.ts';
import { printCount, formatInteger } from '../terminal/format.ts';
import { printLines, sanitize } from '../terminal/style.ts';

interface ExportFlags extends LedgerFlags {
  out?: string;
  files: boolean;
}

/** `agon authors export` */
export function defineAuthorsExport(command: Command): void {
  command
    .description(
      'Write everything on record of an author to one ZIP file with a README: cases with their content, verdicts, ' +
        'decisions, marks and appeals, prompts, what left the machine and to whom, where they stand with their ' +
        'reviewers, and what the audit log says of them. Reviewers are not named, and what others wrote is not in it.',
    )
    .argument('<author>', 'the author, as the context of items names them')
    .option('--out <file.zip>', 'file to write (default: author.zip)')
    .option('--without-files', 'leave out images and documents');
  addLedgerFlags(command);
  addExamples(command, [
    'agon authors export user-4711 --out user-4711.zip',
    'unzip -p user-4711.zip cases-0001.jsonl | jq .verdict.label',
  ]);
  setLedgerAction(command, exportAuthor);
}

async function exportAuthor(
  { ledger }: OpenLedger,
  author: string,
  { out = 'author.zip', ...flags }: ExportFlags & { withoutFiles?: boolean },
): Promise<void> {
  const authors = await import('@agonhq/ledger/authors');
  const interrupt = listenForInterrupt();
  try {
    const options = { files: flags.withoutFiles !== true, signal: interrupt.signal };
    const bytes = await savePieces(
      out,
      authors.exportAuthor(ledger, author, options),
      'Choose another file with --out.',
    );
    process.stderr.write(`Wrote ${sanitize(out)} (${formatInteger(bytes)} bytes).\n`);
  } finally {
    interrupt.dispose();
  }
}

/** `agon authors forget` */
export function defineAuthorsForget(command: Command): void {
  command
    .description(
      'Delete what an author wrote, what was said about it and what was learnt from it, and what of theirs waits in ' +
        'runs. Of what another author wrote too, only their own cases. Verdicts, seals and decisions stay. Refused ' +
        'while a hold covers any of it.',
    )
    .argument('<author>', 'the author, as the context of items names them')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print what was forgotten as JSON');
  addLedgerFlags(command);
  addExamples(command, ['agon authors forget user-4711', 'agon authors forget user-4711 --yes --json']);
  setLedgerAction(command, forgetAuthor);
}

async function forgetAuthor(
  { ledger }: OpenLedger,
  author: string,
  flags: LedgerFlags & { yes?: boolean; json?: boolean },
): Promise<void> {
  const plan = await ledger.authors.planForgetting(author);
  if (plan.subjects === 0 && plan.items === 0)
    throw new AgonError(
      'unknown-author',
      `${ledger.place} holds no content of the author ${author}.`,
      'Name the author as the context of their items does; it may be forgotten already.',
    );
  if (!(await confirm(`Forget ${describe(plan)} of ${sanitize(author)}? This cannot be undone.`, flags))) {
    printLines(['Nothing was forgotten.']);
    return;
  }
  const forgotten = await ledger.authors.forget(author);
  if (flags.json) printLines([JSON.stringify({ version: 1, author, ...forgotten })]);
  else printLines([`Forgot ${describe(forgotten)}. Verdicts, seals and decisions stay.`]);
}

function describe({ subjects, cases, othersCases, items }: ForgottenAuthor): string {
  const others =
    othersCases === 0 ? '' : ` (${formatInteger(othersCases)} of other authors about the same content stay)`;
  const waiting = items === 0 ? '' : `, and ${printCount(items, 'item')} that ${items === 1 ? 'waits' : 'wait'}`;
  return `${printCount(subjects, 'content')} in ${printCount(cases, 'case')}${others}${waiting}`;
}
