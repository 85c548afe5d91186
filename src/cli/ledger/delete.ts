import { Option, type Command } from 'commander';
import { AgonError } from '../../errors.ts';
import type { Ledger, PruneOptions, PruneReport } from '../../ledger/index.ts';
import { toOneLine } from '../../text/index.ts';
import { addExamples, setAction, setLedgerAction } from '../define-command.ts';
import { addLedgerFlags } from '../flags.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { confirm } from '../process.ts';
import { readPastMoment } from '../read-flags.ts';
import { formatCount, formatMoment } from '../terminal/format.ts';
import { printLines, sanitize } from '../terminal/style.ts';

interface PruneFlags extends LedgerFlags {
  before: string;
  what: PruneOptions['what'];
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

/** `agon ledger prune` */
export function defineLedgerPrune(command: Command): void {
  command
    .description('Delete what has not been touched since a given time.')
    .requiredOption('--before <time>', 'delete what is older: 90d, 12h, 8w, or a date')
    .addOption(
      new Option(
        '--what <what>',
        'contents: what was judged and said (verdicts, seals and decisions stay); cases: everything about them; ' +
          'cache: cached model answers; unfinished: cases without a verdict',
      )
        .choices(['contents', 'cases', 'cache', 'unfinished'])
        .makeOptionMandatory(),
    )
    .option('--dry-run', 'only print what would be deleted')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print what was deleted as JSON');
  addLedgerFlags(command);
  addExamples(command, [
    'agon ledger prune --before 90d --what contents --dry-run',
    'agon ledger prune --before 2026-01-01 --what cases --yes',
  ]);
  setAction(command, pruneLedger);
}

const descriptions: Record<PruneOptions['what'], string> = {
  contents: 'what was judged and said (verdicts, seals and decisions stay)',
  cases: 'complete cases with their verdicts and decisions, and benches',
  cache: 'cached model answers',
  unfinished: 'cases without a verdict',
};

/** Counts what it would delete before it asks. */
async function pruneLedger({ what, dryRun, yes, json, ...flags }: PruneFlags): Promise<number> {
  const before = readPastMoment('--before', flags.before);
  const { withLedger } = await import('../open-ledger.ts');
  return withLedger(flags, async (ledger) => {
    const found = await ledger.prune({ before, what, dryRun: true });
    const nothing = Object.values(found).every((number) => number === 0);
    const question = `Delete ${descriptions[what]}, older than ${formatMoment(before)}: ${formatReport(found)}?`;
    if (!dryRun && !nothing && !(await confirm(question, { yes }))) {
      printLines(['Nothing was deleted.']);
      return exitCodes.judged;
    }
    const report = dryRun || nothing ? found : await ledger.prune({ before, what });
    if (json) printLines([JSON.stringify({ version: 1, what, before, dryRun: dryRun === true, ...report })]);
    else if (nothing) printLines([`Nothing is older than ${formatMoment(before)}.`]);
    else printLines([`${dryRun ? 'Would delete' : 'Deleted'} ${formatReport(report)}.`]);
    return exitCodes.judged;
  });
}

function formatReport({ subjects, debates, entries, cached, items, benches }: PruneReport): string {
  const counts: [number, string, string?][] = [
    [subjects, 'subject'],
    [debates, 'case'],
    [entries, 'entry', 'entries'],
    [cached, 'cached answer'],
    [items, 'unjudged item'],
    [benches, 'bench', 'benches'],
  ];
  return counts
    .filter(([number]) => number > 0)
    .map(([number, one, many]) => formatCount(number, one, many))
    .join(', ');
}

/** `agon ledger forget ID|sha256:…` */
export function defineLedgerForget(command: Command): void {
  command
    .description(
      'Delete what a case judged, what was said about it and what was learnt from it, in every case about the same ' +
        'content. Verdicts, seals and decisions stay.',
    )
    .argument('<id>', 'id of a case, or hash of the judged content (sha256:…)')
    .option('--yes', 'do not ask for confirmation');
  addLedgerFlags(command);
  addExamples(command, ['agon ledger forget mod-315703c5ee85a07c', 'agon ledger forget sha256:9f2c… --yes']);
  setLedgerAction(command, forgetSubject);
}

async function forgetSubject(
  { ledger }: OpenLedger,
  id: string,
  flags: LedgerFlags & { yes?: boolean },
): Promise<void> {
  const subject = await findSubject(ledger, id);
  const { rows } = await ledger.cases.listCases({ subject }, { limit: 1000 });
  if (rows.length === 0)
    throw new AgonError(
      'unknown-subject',
      `${ledger.place} holds nothing with the hash ${subject}.`,
      'Pass the id of a case, or the `subject.hash` of its answer.',
    );
  if (rows.every(({ forgottenAt }) => forgottenAt !== null)) {
    printLines([`Already forgotten on ${formatMoment(rows[0]!.forgottenAt!)}.`]);
    return;
  }
  const excerpt = toOneLine(rows[0]!.excerpt ?? '')
    .slice(0, 60)
    .toWellFormed();
  const what = excerpt === '' ? '' : ` “${sanitize(excerpt)}”`;
  const cases = formatCount(rows.length, 'case');
  const question = `Forget${what} and what was said about it in ${cases}? This cannot be undone.`;
  if (!(await confirm(question, flags))) {
    printLines(['Nothing was forgotten.']);
    return;
  }
  const debates = await ledger.cases.forgetSubject(subject);
  printLines([`Forgotten in ${formatCount(debates, 'case')}. Verdicts, seals and decisions stay.`]);
}

async function findSubject(ledger: Ledger, id: string): Promise<string> {
  if (id.startsWith('sha256:')) return id;
  const { requireCase } = await import('../../retrials/index.ts');
  return (await requireCase(ledger, id)).subject;
}
