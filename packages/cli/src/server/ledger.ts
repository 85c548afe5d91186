import { Option, type Command } from 'commander';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Ledger, PruneOptions, PruneReport, LedgerStats } from '@agonhq/ledger';
import { toOneLine } from '@agonhq/engine/text';
import { addExamples, setAction, setLedgerAction, addLedgerFlags } from '../define-command.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { confirm, printLine } from '../process.ts';
import { readPastMoment } from '../read-flags.ts';
import { printCount, formatMoment, formatCounts, formatInteger } from '../terminal/format.ts';
import { printLines, sanitize } from '../terminal/style.ts';
import { formatFacts, type PrintedFact } from '../terminal/table.ts';

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
async function pruneLedger({ what, dryRun, yes, json, ...flags }: PruneFlags): Promise<void> {
  const before = readPastMoment('--before', flags.before);
  const { withLedger } = await import('../open-ledger.ts');
  return withLedger(flags, async (ledger) => {
    const found = await ledger.prune({ before, what, dryRun: true });
    const { held, ...counts } = found;
    const nothing = Object.values(counts).every((number) => number === 0);
    const question = `Delete ${descriptions[what]}, older than ${formatMoment(before)}: ${formatReport(found)}?`;
    if (!dryRun && !nothing && !(await confirm(question, { yes }))) {
      return printLines(['Nothing was deleted.']);
    }
    const report = dryRun || nothing ? found : await ledger.prune({ before, what });
    if (json) printLines([JSON.stringify({ version: 1, what, before, dryRun: dryRun === true, ...report })]);
    else if (nothing) printLines([`Nothing${held > 0 ? ' else' : ''} is older than ${formatMoment(before)}.`]);
    else printLines([`${dryRun ? 'Would delete' : 'Deleted'} ${formatReport(report)}.`]);
    if (!json && held > 0)
      printLines([`${printCount(held, 'case')} ${held === 1 ? 'stays' : 'stay'}: legal holds (\`agon holds list\`).`]);
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
    .map(([number, one, many]) => printCount(number, one, many))
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
  const cases = printCount(rows.length, 'case');
  const question = `Forget${what} and what was said about it in ${cases}? This cannot be undone.`;
  if (!(await confirm(question, flags))) {
    printLines(['Nothing was forgotten.']);
    return;
  }
  const debates = await ledger.cases.forgetSubject(subject);
  printLines([`Forgotten in ${printCount(debates, 'case')}. Verdicts, seals and decisions stay.`]);
}

async function findSubject(ledger: Ledger, id: string): Promise<string> {
  if (id.startsWith('sha256:')) return id;
  const { requireCase } = await import('@agonhq/core/retrials');
  return (await requireCase(ledger, id)).subject;
}

/** `agon ledger stats` */
export function defineLedgerStats(command: Command): void {
  command.description('Count what the ledger holds.').option('--json', 'print the counts as JSON');
  addLedgerFlags(command);
  addExamples(command, ['agon ledger stats', 'agon ledger stats --ledger postgres://agon@db/agon --json']);
  setLedgerAction(command, printStats);
}

async function printStats({ ledger }: OpenLedger, flags: LedgerFlags & { json?: boolean }): Promise<void> {
  const stats = await ledger.readStats();
  printLines(flags.json ? [JSON.stringify({ version: 1, ...stats })] : renderStats(stats));
}

function renderStats(stats: LedgerStats): string[] {
  const counts = (byName: Record<string, number>) => formatCounts(byName) || 'none';
  const also = (value: number, what: string) => (value > 0 ? `, ${formatInteger(value)} ${what}` : '');
  const size = stats.bytes === null ? '' : `, ${formatSize(stats.bytes)}`;
  const facts: PrintedFact[] = [
    ['ledger', `${stats.place} (${stats.kind}, schema ${stats.schema}${size})`],
    ['cases', `${formatInteger(stats.debates)}${also(stats.unfinishedDebates, 'without a verdict')}`],
    ['subjects', `${formatInteger(stats.subjects)}${also(stats.forgottenSubjects, 'forgotten')}`],
    ['entries', formatInteger(stats.entries)],
    ['verdicts', counts(stats.verdicts)],
    ['decisions', formatInteger(stats.decisions)],
    ['corrections', formatInteger(stats.corrections)],
    ['precedents', counts(stats.precedents)],
    ['runs', formatInteger(stats.runs)],
    ['run items', counts(stats.runItems)],
    ['benches', `${formatInteger(stats.benches)}${also(stats.benchJudgements, 'judgements')}`],
    ['annotations', `${formatInteger(stats.annotations)}${also(stats.annotationVotes, 'votes')}`],
    ['cached answers', formatInteger(stats.cached)],
  ];
  return formatFacts(facts, '');
}

function formatSize(bytes: number): string {
  return bytes < 1_000_000 ? `${formatInteger(Math.ceil(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `agon ledger export` */
export function defineLedgerExport(command: Command): void {
  command
    .description(
      'Write the whole ledger as lines of JSON, for programs of your own. Vectors are left out. To move a ledger or ' +
        'bring it back, use `agon ledger backup`.',
    )
    .option('--out <file.jsonl>', 'write to this file (default: standard output)');
  addLedgerFlags(command);
  addExamples(command, ['agon ledger export --out ledger.jsonl', 'agon ledger export | gzip > ledger.jsonl.gz']);
  setLedgerAction(command, exportLedger);
}

async function exportLedger({ ledger }: OpenLedger, { out }: { out?: string }): Promise<void> {
  if (out === undefined) for await (const line of exportLines(ledger)) await printLine(line);
  else {
    const { saveLines } = await import('@agonhq/core/runs');
    const lines = await saveLines(out, exportLines(ledger));
    process.stderr.write(`Wrote ${printCount(lines, 'line')} to ${sanitize(out)}.\n`);
  }
}

async function* exportLines(ledger: Ledger): AsyncGenerator<string, void, void> {
  for await (const line of ledger.export()) yield `${JSON.stringify(line)}\n`;
}
