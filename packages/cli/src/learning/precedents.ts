import type { Command } from 'commander';
import type { KeptPrecedent } from '@agonhq/models/precedents';
import { describePictureMatch, type Fingerprint } from '@agonhq/engine/fingerprint';
import { addExamples, addLedgerFlags, choice, collect, positive, setAction } from '../define-command.ts';
import { printCount } from '../terminal/format.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import type { Precedents } from '@agonhq/core/app';
import type { SafetyLabel } from '@agonhq/engine/debate';
import { indentText } from '../terminal/table.ts';
import { readFileLines } from '../files.ts';
import type { SettingsFlags } from '../read-settings.ts';

/** `agon precedents list` */
export function definePrecedentsList(command: Command): void {
  command.description('List precedents, one per line.');
  addFilterFlags(command);
  addExamples(command, ['agon precedents list', 'agon precedents list --state proposed --json']);
  setPrecedentsAction(command, printPrecedents);
}

async function printPrecedents({ seeds, ledger }: Precedents, flags: FilterFlags): Promise<void> {
  const { listPrecedents } = await import('@agonhq/models/precedents');
  let count = 0;
  for await (const precedent of listPrecedents(seeds, ledger.precedents, flags)) {
    count += 1;
    process.stdout.write(flags.json ? `${JSON.stringify(precedent)}\n` : `${formatPrecedent(precedent)}\n`);
  }
  if (!flags.json) process.stdout.write(`${style('dim', printCount(count, 'precedent'))}\n`);
}

/** `agon precedents show ID` */
export function definePrecedentsShow(command: Command): void {
  command.description('Show one precedent.').argument('<id>', 'id of the precedent');
  addPrecedentsFlags(command);
  addExamples(command, ['agon precedents show seed-0062', 'agon precedents show seed-0062 --json']);
  setPrecedentsAction(command, showPrecedent);
}

async function showPrecedent({ seeds, ledger }: Precedents, id: string, flags: PrecedentsFlags): Promise<void> {
  const { findPrecedent } = await import('@agonhq/models/precedents');
  const precedent = await findPrecedent(id, seeds, ledger.precedents);
  printLines(flags.json ? [JSON.stringify(precedent)] : renderPrecedent(precedent));
}

function renderPrecedent(precedent: KeptPrecedent): string[] {
  const { text, cues, why, provenance, confirmedBy, clause, overruledBy, expiresAt, createdAt, policy } = precedent;
  const { kind, ...origin } = provenance;
  const origins = [kind, ...Object.entries(origin).map(([field, value]) => `${field} ${value}`)].join(', ');
  return [
    formatPrecedent(precedent),
    ...indented(`Why: ${why}`),
    ...(cues.length > 0 ? indented(`Cues: ${cues.join('; ')}`) : []),
    ...indented(`Text: ${text}`),
    ...(clause === null ? [] : indented(`Clause: ${clause}`)),
    ...indented(`Origin: ${origins}; confirmed by ${confirmedBy}; ${createdAt}`),
    ...(policy === null ? [] : indented(`Policy: ${policy.name} ${policy.version} ${policy.hash}`)),
    ...(overruledBy === null ? [] : indented(`Overruled by: ${overruledBy}`)),
    ...(expiresAt === null ? [] : indented(`Expires: ${expiresAt}`)),
  ];
}

/** `agon precedents search TEXT` */
export function definePrecedentsSearch(command: Command): void {
  command
    .description('Find the precedents that a debate about a text would see.')
    .argument('[text]', 'text that would be judged', '')
    .option(
      '--image <file>',
      'image that would be judged: precedents with a copy of it come first (repeatable)',
      collect,
    )
    .option('--limit <n>', 'find at most n precedents', positive, 10);
  addPrecedentsFlags(command);
  addExamples(command, [
    'agon precedents search "how to kill a process"',
    'agon precedents search "send me your password" --limit 3 --json',
    'agon precedents search --image poster.jpg',
  ]);
  setPrecedentsAction(command, searchPrecedents);
}

async function searchPrecedents(
  { library }: Precedents,
  text: string,
  flags: PrecedentsFlags & { limit: number; image?: string[] },
): Promise<void> {
  const pictures = await hashImages(flags.image ?? []);
  const opened = await library({
    onProgress: ({ done, total }) => process.stderr.write(`Embedded ${done} of ${total} precedents.\n`),
  });
  const retrieval = await opened.search({
    text,
    ...(pictures.length > 0 ? { pictures, modality: text === '' ? 'image' : 'text+image' } : {}),
    limit: flags.limit,
    signal: new AbortController().signal,
  });
  if (flags.json) return printLines([JSON.stringify(retrieval)]);
  const { precedents, excluded, furtherExcluded = 0, library: state } = retrieval;
  const lines = precedents.flatMap(({ id, label, category, summary, cues, why, similarity, picture }) => [
    `${similarity.toFixed(3)} ${formatLabel(label)} ${style('cyan', sanitize(id))} ` +
      style('dim', sanitize(category ?? '')),
    ...(picture ? indented(describePictureMatch(picture)) : []),
    ...indented(summary),
    ...(why === undefined ? [] : indented(`Why: ${why}`)),
    ...(cues.length > 0 ? indented(`Cues: ${cues.join('; ')}`) : []),
  ]);
  printLines([
    ...(lines.length > 0 ? lines : ['No precedent is similar.']),
    ...excluded.map(({ id, reason }) => style('dim', `Not shown: ${sanitize(id)} (${reason})`)),
    ...(furtherExcluded > 0 ? [style('dim', `Not shown: ${furtherExcluded} more`)] : []),
  ]);
  if (state.problem !== null) process.stderr.write(style('yellow', `${sanitize(state.problem)}\n`));
}

async function hashImages(files: readonly string[]): Promise<Fingerprint[]> {
  if (files.length === 0) return [];
  const { inspectImage, loadImage } = await import('@agonhq/models/senses');
  return Promise.all(files.map(async (file) => (await inspectImage(await loadImage(file), file)).fingerprint));
}

interface PrecedentsFlags extends Pick<SettingsFlags, 'config' | 'team' | 'ledger' | 'policy'> {
  json?: boolean;
}

interface FilterFlags extends PrecedentsFlags {
  state?: KeptPrecedent['state'];
  label?: KeptPrecedent['label'];
  category?: string;
}

function addPrecedentsFlags(command: Command): Command {
  return addLedgerFlags(command)
    .option('--policy <file>', 'policy whose clauses the built-in precedents cite')
    .option('--json', 'print JSON');
}

function addFilterFlags(command: Command): Command {
  return addPrecedentsFlags(command)
    .addOption(
      choice('--state <state>', 'only precedents in this state', ['active', 'proposed', 'retired', 'overruled']),
    )
    .addOption(choice('--label <label>', 'only precedents with this label', ['safe', 'unsafe']))
    .option('--category <id>', 'only precedents of this category');
}

/** Runs `action` with the built-in precedents and those of the ledger. */
function setPrecedentsAction(
  command: Command,
  action: (precedents: Precedents, ...given: never[]) => Promise<void>,
): void {
  setAction(command, async (...given: never[]) => {
    const { openPrecedents } = await import('@agonhq/core/app');
    const { readInstallation } = await import('../read-settings.ts');
    const { settings, jobs } = await readInstallation((given as unknown[]).at(-2) as PrecedentsFlags);
    const precedents = await openPrecedents(jobs, settings);
    try {
      await action(precedents, ...given);
    } finally {
      await precedents.close();
    }
  });
}

function formatPrecedent({ id, label, category, summary, state }: KeptPrecedent): string {
  return [
    style('cyan', sanitize(id)),
    formatLabel(label),
    style('dim', sanitize(category ?? 'none')),
    ...(state === 'active' ? [] : [style('yellow', state)]),
    sanitize(summary),
  ].join(' ');
}

function formatLabel(label: SafetyLabel): string {
  return style(label === 'unsafe' ? 'red' : 'green', label);
}

const indented = (text: string) => indentText(text, process.stdout.columns ?? 100);

/** `agon precedents import FILE` */
export function definePrecedentsImport(command: Command): void {
  command
    .description('Import precedents from a file: all of them, or none.')
    .argument('<file.jsonl>', 'one JSON object per line; - reads standard input');
  addPrecedentsFlags(command);
  addExamples(
    command,
    ['agon precedents import house.jsonl', 'agon precedents export --ledger other.sqlite | agon precedents import -'],
    'A line: {"id":"house-1","label":"safe","summary":"…","why":"…","text":"…"}',
  );
  setPrecedentsAction(command, importFile);
}

async function importFile({ seeds, ledger }: Precedents, file: string, flags: PrecedentsFlags): Promise<void> {
  const { importPrecedents } = await import('@agonhq/models/precedents');
  const lines: string[] = [];
  for await (const line of readFileLines(file)) lines.push(line);
  const report = await importPrecedents(lines, {
    name: file === '-' ? 'standard input' : file,
    seeds,
    store: ledger.precedents,
  });
  if (flags.json) return printLines([JSON.stringify(report)]);
  const { imported, present, duplicates } = report;
  printLines([
    `Imported ${imported.length}; ${present.length} already existed, ${duplicates.length} duplicated another.`,
    ...duplicates.map(({ id, of }) => style('dim', `  ${sanitize(id)} duplicates ${sanitize(of)}`)),
  ]);
}

/** `agon precedents export` */
export function definePrecedentsExport(command: Command): void {
  command
    .description('Write precedents as lines of JSON that `agon precedents import` reads.')
    .option('--out <file>', 'write to this file (default: standard output)');
  addFilterFlags(command);
  addExamples(command, ['agon precedents export --out precedents.jsonl', 'agon precedents export --label unsafe']);
  setPrecedentsAction(command, exportToFile);
}

async function exportToFile({ seeds, ledger }: Precedents, flags: FilterFlags & { out?: string }): Promise<void> {
  const { exportPrecedents } = await import('@agonhq/models/precedents');
  const lines = exportPrecedents(seeds, ledger.precedents, flags);
  if (flags.out === undefined) {
    for await (const line of lines) process.stdout.write(line);
    return;
  }
  const { saveLines } = await import('@agonhq/core/runs');
  await saveLines(flags.out, lines);
}

/** `agon precedents retire ID --why TEXT` */
export function definePrecedentsRetire(command: Command): void {
  command
    .description('Take a precedent out of use. It stays on record with the reason.')
    .argument('<id>', 'id of the precedent')
    .requiredOption('--why <text>', 'reason');
  addPrecedentsFlags(command);
  addExamples(command, ['agon precedents retire learnt-5be2a90c11d4 --why "The clause was repealed."']);
  setPrecedentsAction(command, retire);
}

async function retire(
  { seeds, ledger }: Precedents,
  id: string,
  flags: PrecedentsFlags & { why: string },
): Promise<void> {
  const { retirePrecedent } = await import('@agonhq/models/precedents');
  const retired = await retirePrecedent(id, flags.why, seeds, ledger.precedents);
  printLines([flags.json ? JSON.stringify(retired) : `Retired ${sanitize(id)}: ${sanitize(retired.overruledBy!)}`]);
}
