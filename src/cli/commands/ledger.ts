import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AgonError } from '../../errors.ts';
import type { Ledger, LedgerStats, PruneOptions, PruneReport } from '../../ledger/index.ts';
import { caseOnRecord } from '../../retrials/index.ts';
import { formatCount, formatMoment } from '../terminal/format.ts';
import { readPastMoment } from '../read-flags.ts';
import { formatRow } from '../terminal/table.ts';
import { confirm } from '../terminal/confirm.ts';
import { exitCodes } from '../print-error.ts';
import { readLines } from '../read-input.ts';
import { withLedger, type LedgerFlags } from '../open-ledger.ts';
import { sanitize, printLines } from '../terminal/style.ts';
import { toOneLine } from '../../text/index.ts';

export interface StatsFlags extends LedgerFlags {
  json?: boolean;
}

export interface ExportFlags extends LedgerFlags {
  out?: string;
}

export interface PruneFlags extends StatsFlags {
  before: string;
  what: PruneOptions['what'];
  dryRun?: boolean;
  yes?: boolean;
}

export interface ForgetFlags extends LedgerFlags {
  yes?: boolean;
}

/** `agon ledger stats` */
export function statsCommand(flags: StatsFlags): Promise<number> {
  return withLedger(flags, async (ledger) => {
    const stats = await ledger.readStats();
    printLines(flags.json ? [JSON.stringify({ version: 1, ...stats })] : statsLines(stats));
    return exitCodes.judged;
  });
}

function statsLines(stats: LedgerStats): string[] {
  const counts = (byName: Record<string, number>) =>
    Object.entries(byName)
      .map(([name, number]) => `${number.toLocaleString('en')} ${name}`)
      .join(', ') || 'none';
  const rows: [string, string][] = [
    [
      'ledger',
      `${sanitize(stats.place)} (${stats.kind}, schema ` +
        `${stats.schema}${stats.bytes === null ? '' : `, ${megabytes(stats.bytes)}`})`,
    ],
    [
      'cases',
      `${stats.debates.toLocaleString('en')}${stats.unfinishedDebates > 0 ? `, ${stats.unfinishedDebates.toLocaleString('en')} without a verdict yet` : ''}`,
    ],
    [
      'subjects',
      `${stats.subjects.toLocaleString('en')}${stats.forgottenSubjects > 0 ? `, ${stats.forgottenSubjects.toLocaleString('en')} forgotten` : ''}`,
    ],
    ['entries', stats.entries.toLocaleString('en')],
    ['verdicts', counts(stats.verdicts)],
    ['decisions', stats.decisions.toLocaleString('en')],
    ['precedents', counts(stats.precedents)],
    ['runs', stats.runs.toLocaleString('en')],
    ['items of runs', counts(stats.runItems)],
    [
      'benches',
      `${stats.benches.toLocaleString('en')}${stats.benches > 0 ? `, ${stats.benchJudgements.toLocaleString('en')} judgements` : ''}`,
    ],
    [
      'annotations',
      `${stats.annotations.toLocaleString('en')}${stats.annotations > 0 ? `, ${stats.annotationVotes.toLocaleString('en')} votes` : ''}`,
    ],
    ['cached answers', stats.cached.toLocaleString('en')],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.flatMap(([name, value]) => formatRow(`${name.padEnd(width)}  `, value));
}

function megabytes(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.ceil(bytes / 1000).toLocaleString('en')} kB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `agon ledger export`: a file appears when it is whole. */
export function exportCommand({ out, ...flags }: ExportFlags): Promise<number> {
  return withLedger(flags, async (ledger) => {
    if (out === undefined) for await (const line of written(ledger)) await print(line);
    else {
      const lines = await save(out, ledger);
      process.stderr.write(`${formatCount(lines, 'line')} in ${sanitize(out)}\n`);
    }
    return exitCodes.judged;
  });
}

async function* written(ledger: Ledger): AsyncGenerator<string, void, void> {
  for await (const line of ledger.export()) yield `${JSON.stringify(line)}\n`;
}

async function print(line: string): Promise<void> {
  if (!process.stdout.write(line)) await new Promise((resolve) => process.stdout.once('drain', resolve));
}

async function save(out: string, ledger: Ledger): Promise<number> {
  const part = `${out}.part`;
  let lines = 0;
  async function* counted() {
    for await (const line of written(ledger)) {
      lines += 1;
      yield line;
    }
  }
  try {
    await pipeline(Readable.from(counted()), createWriteStream(part, { mode: 0o600 }));
    await rename(part, out);
    return lines;
  } catch (error) {
    await rm(part, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    throw new AgonError(
      'cannot-write',
      `${out} cannot be written: ${code === 'ENOSPC' ? 'the disk is full' : code}.`,
      'Choose another place with --out FILE.',
      { cause: error },
    );
  }
}

/** `agon ledger import FILE`: all or nothing. */
export function importCommand(file: string, flags: StatsFlags): Promise<number> {
  return withLedger(
    flags,
    async (ledger) => {
      const report = await ledger.import(readLines(file));
      if (flags.json) printLines([JSON.stringify({ version: 1, ...report })]);
      else {
        const total = (byKind: Record<string, number>) =>
          Object.values(byKind).reduce((sum, number) => sum + number, 0);
        const kinds = Object.entries(report.inserted).map(([kind, number]) => `${number.toLocaleString('en')} ${kind}`);
        printLines([
          `${formatCount(total(report.inserted), 'row')} taken in${kinds.length > 0 ? ` (${kinds.join(', ')})` : ''}, ${total(report.present).toLocaleString('en')} ` +
            'here already.',
        ]);
      }
      return exitCodes.judged;
    },
    { make: true },
  );
}

const pruned: Record<PruneOptions['what'], string> = {
  contents: 'what was judged and said (verdict, seal and decisions stay)',
  cases: 'whole cases, with their verdicts and decisions, and benches',
  cache: 'cached answers of models',
  unfinished: 'cases that never came to a verdict',
};

/** `agon ledger prune`: what it would take away is counted before it asks. */
export function pruneCommand({ what, dryRun, yes, json, ...flags }: PruneFlags): Promise<number> {
  const before = readPastMoment('--before', flags.before);
  return withLedger(flags, async (ledger) => {
    const found = await ledger.prune({ before, what, dryRun: true });
    const nothing = Object.values(found).every((number) => number === 0);
    if (
      !dryRun &&
      !nothing &&
      !(await confirm(`Take away ${pruned[what]}, older than ${formatMoment(before)}: ${words(found)}?`, { yes }))
    ) {
      printLines(['Nothing was taken away.']);
      return exitCodes.judged;
    }
    const report = dryRun || nothing ? found : await ledger.prune({ before, what });
    if (json) printLines([JSON.stringify({ version: 1, what, before, dryRun: dryRun === true, ...report })]);
    else
      printLines([
        nothing
          ? `Nothing is older than ${formatMoment(before)}.`
          : `${dryRun ? 'Would take away' : 'Taken away'}: ${words(report)}.`,
      ]);
    return exitCodes.judged;
  });
}

const irregular: Record<string, string> = { entry: 'entries', bench: 'benches' };

function words({ subjects, debates, entries, cached, items, benches }: PruneReport): string {
  const said: [number, string][] = [
    [subjects, 'subject'],
    [debates, 'case'],
    [entries, 'entry'],
    [cached, 'cached answer'],
    [items, 'unjudged item'],
    [benches, 'bench'],
  ];
  return said
    .filter(([number]) => number > 0)
    .map(([number, what]) =>
      irregular[what] && number !== 1 ? `${number.toLocaleString('en')} ${irregular[what]}` : formatCount(number, what),
    )
    .join(', ');
}

/** `agon ledger forget ID|sha256:…`: the content goes, the verdict's hash stays. */
export function forgetCommand(name: string, flags: ForgetFlags): Promise<number> {
  return withLedger(flags, async (ledger) => {
    const subject = await subjectNamed(ledger, name);
    const { rows } = await ledger.cases.listCases({ subject }, { limit: 1000 });
    if (rows.length === 0)
      throw new AgonError(
        'unknown-subject',
        `Nothing with the hash ${subject} is in ${ledger.place}.`,
        'Give the id of a case, or the `subject.hash` of its answer.',
      );
    if (rows.every(({ forgottenAt }) => forgottenAt !== null)) {
      printLines([`It was forgotten already, on ${formatMoment(rows[0]!.forgottenAt!)}.`]);
      return exitCodes.judged;
    }
    const excerpt =
      rows[0]!.excerpt === null ? '' : ` “${sanitize(toOneLine(rows[0]!.excerpt).slice(0, 60).toWellFormed())}”`;
    if (
      !(await confirm(
        `Forget${excerpt} and what was said about it in ${formatCount(rows.length, 'case')}? It cannot be brought back.`,
        flags,
      ))
    ) {
      printLines(['Nothing was forgotten.']);
      return exitCodes.judged;
    }
    const debates = await ledger.cases.forgetSubject(subject);
    printLines([`Forgotten in ${formatCount(debates, 'case')}; verdict, seal and decisions stay.`]);
    return exitCodes.judged;
  });
}

async function subjectNamed(ledger: Ledger, name: string): Promise<string> {
  return name.startsWith('sha256:') ? name : (await caseOnRecord(ledger, name)).subject;
}
