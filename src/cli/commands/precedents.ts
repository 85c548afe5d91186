import { openLines } from '../../items/index.ts';
import { open } from 'node:fs/promises';
import { openPrecedents, type Precedents } from '../../app/index.ts';
import type { SafetyLabel } from '../../debate/index.ts';
import { AgonError } from '../../errors.ts';
import {
  exportPrecedents,
  findPrecedent,
  importPrecedents,
  listPrecedents,
  retirePrecedent,
  type KeptPrecedent,
  type PrecedentFilter,
} from '../../precedents/index.ts';
import { mergeSettings, readSettings, settingsFromFile } from '../../settings/index.ts';
import { wrapText } from '../terminal/table.ts';
import { exitCodes } from '../print-error.ts';
import { sanitize, style } from '../terminal/style.ts';

export interface PrecedentsFlags {
  config?: string;
  ledger?: string;
  policy?: string;
  json?: boolean;
}

export interface ListFlags extends PrecedentsFlags {
  state?: string;
  label?: string;
  category?: string;
}

/** `agon precedents list` */
export function listCommand(flags: ListFlags): Promise<number> {
  return withPrecedents(flags, async ({ seeds, ledger }) => {
    let count = 0;
    for await (const precedent of listPrecedents(seeds, ledger.precedents, filterFrom(flags))) {
      count += 1;
      process.stdout.write(flags.json ? `${JSON.stringify(precedent)}\n` : `${shortLine(precedent)}\n`);
    }
    if (!flags.json) process.stdout.write(style('dim', `${count.toLocaleString('en')} precedents`) + '\n');
  });
}

/** `agon precedents show ID` */
export function showCommand(id: string, flags: PrecedentsFlags): Promise<number> {
  return withPrecedents(flags, async ({ seeds, ledger }) => {
    const precedent = await findPrecedent(id, seeds, ledger.precedents);
    process.stdout.write(flags.json ? `${JSON.stringify(precedent)}\n` : `${wholeLines(precedent).join('\n')}\n`);
  });
}

/** `agon precedents search TEXT`: what the supporter would be shown for it. */
export function searchCommand(text: string, flags: PrecedentsFlags & { limit?: number }): Promise<number> {
  return withPrecedents(flags, async ({ library }) => {
    const opened = await library({
      onProgress: ({ done, total }) => process.stderr.write(`embedded ${done} of ${total}\n`),
    });
    const retrieval = await opened.search({ text, limit: flags.limit ?? 10, signal: new AbortController().signal });
    if (flags.json) return void process.stdout.write(`${JSON.stringify(retrieval)}\n`);
    const { precedents, excluded, furtherExcluded = 0, library: state } = retrieval;
    const lines = precedents.flatMap(({ id, label, category, summary, cues, why, similarity }) => [
      `${similarity.toFixed(3)} ${labelled(label)} ${style('cyan', sanitize(id))} ${style('dim', sanitize(category ?? ''))}`,
      ...indented(summary),
      ...(why === undefined ? [] : indented(`Why: ${why}`)),
      ...(cues.length > 0 ? indented(`Cues: ${cues.join('; ')}`) : []),
    ]);
    process.stdout.write(
      [
        ...(lines.length > 0 ? lines : ['Nothing is alike.']),
        ...excluded.map(({ id, reason }) => style('dim', `Not shown: ${sanitize(id)} (${reason})`)),
        '',
      ].join('\n'),
    );
    if (furtherExcluded > 0) process.stdout.write(style('dim', `Not shown either: ${furtherExcluded} more\n`));
    if (state.problem !== null) process.stderr.write(style('yellow', `${sanitize(state.problem)}\n`));
  });
}

/** `agon precedents import FILE` */
export function importCommand(file: string, flags: PrecedentsFlags): Promise<number> {
  return withPrecedents(flags, async ({ seeds, ledger }) => {
    const report = await importPrecedents(await linesIn(file), {
      name: file === '-' ? 'standard input' : file,
      seeds,
      store: ledger.precedents,
    });
    if (flags.json) return void process.stdout.write(`${JSON.stringify(report)}\n`);
    const { imported, present, duplicates } = report;
    process.stdout.write(
      `${imported.length} imported, ${present.length} here already, ${duplicates.length} that say the same as ` +
        'another\n',
    );
    for (const { id, of } of duplicates)
      process.stdout.write(style('dim', `  ${sanitize(id)} says the same as ${sanitize(of)}\n`));
  });
}

/** `agon precedents export [--out FILE]` */
export function exportCommand(flags: ListFlags & { out?: string }): Promise<number> {
  return withPrecedents(flags, async ({ seeds, ledger }) => {
    const lines = exportPrecedents(seeds, ledger.precedents, filterFrom(flags));
    if (flags.out === undefined) {
      for await (const line of lines) process.stdout.write(line);
      return;
    }
    const out = await open(flags.out, 'w').catch((error: NodeJS.ErrnoException) => {
      throw new AgonError(
        'unwritable-file',
        `${flags.out} cannot be written: ${error.code ?? error.message}.`,
        'Name a file in a folder that you may write to.',
        { cause: error },
      );
    });
    try {
      for await (const line of lines) await out.write(line);
    } finally {
      await out.close();
    }
  });
}

/** `agon precedents retire ID --why TEXT` */
export function retireCommand(id: string, flags: PrecedentsFlags & { why: string }): Promise<number> {
  return withPrecedents(flags, async ({ seeds, ledger }) => {
    const retired = await retirePrecedent(id, flags.why, seeds, ledger.precedents);
    process.stdout.write(
      flags.json ? `${JSON.stringify(retired)}\n` : `${sanitize(id)} is retired: ${sanitize(retired.overruledBy!)}\n`,
    );
  });
}

async function withPrecedents(
  flags: PrecedentsFlags,
  work: (precedents: Precedents) => Promise<void>,
): Promise<number> {
  const settings = mergeSettings(
    await settingsFromFile({ file: flags.config, folder: process.cwd() }),
    readSettings(
      {
        ...(flags.policy === undefined ? {} : { policy: flags.policy }),
        ...(flags.ledger === undefined ? {} : { ledger: flags.ledger }),
      },
      'flags',
    ),
  );
  const precedents = await openPrecedents(settings);
  try {
    await work(precedents);
    return exitCodes.judged;
  } finally {
    await precedents.close();
  }
}

function filterFrom({ state, label, category }: ListFlags): PrecedentFilter {
  return {
    state: state as KeptPrecedent['state'] | undefined,
    label: label as KeptPrecedent['label'] | undefined,
    category,
  };
}

async function linesIn(file: string): Promise<string[]> {
  const pieces: Buffer[] = [];
  for await (const piece of await openLines(file)) pieces.push(Buffer.from(piece as Uint8Array));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)).split(/\r?\n/);
  } catch (error) {
    throw new AgonError('unreadable-file', `${file} is not UTF-8.`, 'Save it as UTF-8. Nothing was imported.', {
      cause: error,
    });
  }
}

function shortLine(precedent: KeptPrecedent): string {
  const { id, label, category, summary, state } = precedent;
  return (
    `${style('cyan', sanitize(id))} ${labelled(label)} ${style('dim', sanitize(category ?? 'none'))}${state === 'active' ? '' : ` ${style('yellow', state)}`} ` +
    `${sanitize(summary)}`
  );
}

function wholeLines(precedent: KeptPrecedent): string[] {
  const { text, cues, why, provenance, confirmedBy, clause, overruledBy, expiresAt, createdAt, policy } = precedent;
  const { kind, ...origin } = provenance;
  return [
    shortLine(precedent),
    ...indented(`Why: ${why}`),
    ...(cues.length > 0 ? indented(`Cues: ${cues.join('; ')}`) : []),
    ...indented(`Text: ${text}`),
    ...(clause === null ? [] : indented(`Clause: ${clause}`)),
    ...indented(
      `Origin: ${[kind, ...Object.entries(origin).map(([field, value]) => `${field} ${value}`)].join(', ')}; ` +
        `confirmed by ${confirmedBy}; ${createdAt}`,
    ),
    ...(policy === null ? [] : indented(`Policy: ${policy.name} ${policy.version} ${policy.hash}`)),
    ...(overruledBy === null ? [] : indented(`Overruled by: ${overruledBy}`)),
    ...(expiresAt === null ? [] : indented(`Expires: ${expiresAt}`)),
  ];
}

function labelled(label: SafetyLabel): string {
  return style(label === 'unsafe' ? 'red' : 'green', label);
}

function indented(text: string): string[] {
  return wrapText(sanitize(text), (process.stdout.columns ?? 100) - 2).map((line) => `  ${line}`);
}
