import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { checkFile, hasFindings, loadTrainingFingerprints } from '@agonhq/bench';
import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import { openLedger } from '@agonhq/ledger';
import { defaultPolicy } from '@agonhq/engine/policy';
import { seedPrecedents } from '@agonhq/models/precedents';
import { addExamples, setAction, addConfigFlag, collect, list, positive } from '../define-command.ts';
import { locateLedger } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { readNames } from '../read-flags.ts';
import { readInstallation } from '../read-settings.ts';
import { formatInteger } from '../terminal/format.ts';
import { openStatusLine } from '../terminal/progress-line.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import { renderDataCheck } from './show-data-check.ts';

/** `agon bench datasets` */
export function defineBenchDatasets(command: Command): void {
  command
    .description('List the formats of labelled data that Agon reads, or check a file before it is measured on.')
    .option('--json', 'print the formats as JSON');
  addExamples(command, ['agon bench datasets', 'agon bench datasets check items.jsonl']);
  setAction(command, printFormats);
}

async function printFormats({ json }: { json?: boolean }): Promise<void> {
  const { listFormats } = await import('@agonhq/bench');
  const formats = listFormats().map(({ format: { name, description, source, columns }, jobs }) => ({
    name,
    jobs,
    description,
    source,
    columns,
  }));
  printLines(
    json
      ? [JSON.stringify({ version: 1, formats })]
      : formats.flatMap(({ name, jobs, description, source, columns }) => [
          `${style('cyan', name)}  ${style('dim', jobs.join(', '))}`,
          `  ${description}`,
          `  ${style('dim', 'from')}    ${source}`,
          `  ${style('dim', 'columns')} ${columns}`,
        ]),
  );
}

interface CheckFlags {
  job?: string;
  format?: string;
  root?: string;
  by?: string;
  limit?: number;
  map?: string[];
  mapLabel?: string[];
  against?: string[];
  /** A ledger; false with --no-library. */
  library?: string | false;
  config?: string;
  strict?: boolean;
  json?: boolean;
  quiet?: boolean;
}

/** `agon bench datasets check FILE…` */
export function defineDatasetsCheck(command: Command): void {
  command
    .description(
      'Check labelled data before it is measured on: broken lines, balance, duplicates, conflicting labels, trivial ' +
        'items, and items that the precedents, a model or a training file have already seen.',
    )
    .argument('<file...>', 'labelled data: JSONL, JSON, CSV or TSV of any size, optionally gzipped')
    .option('--format <name>', 'format of the file; `agon bench datasets` lists them (default: detected)')
    .option('--job <job>', 'job of the data (default: detected from the first item)')
    .option('--map <field=name,…>', 'names of the fields in the data: text=comment,label=is_toxic', list)
    .option('--map-label <value=label,…>', 'meaning of the labels in the data: hateful=unsafe,fine=safe', list)
    .option('--by <field>', 'field that holds the category')
    .option('--root <folder>', "folder that paths in the data are relative to (default: the file's folder)")
    .option('--limit <n>', 'read only the first n items of each file', positive)
    .option('--against <file>', 'training file that must not contain the items (repeatable)', collect)
    .option(
      '--library <ledger>',
      "ledger whose precedents must not contain the items, beside the seeds (default: the installation's own)",
    )
    .option('--no-library', 'do not compare with precedents');
  addConfigFlag(command)
    .option('--strict', 'exit with code 1 if an item was seen before or labels conflict')
    .option('--json', 'print the report as JSON, one object per file')
    .option('-q, --quiet', 'print no progress');
  addExamples(command, [
    'agon bench datasets check items.jsonl',
    'agon bench datasets check xstest_prompts.csv --against train.jsonl.gz --strict',
    'agon bench datasets check comments.csv --map text=comment,label=is_toxic --map-label yes=unsafe,no=safe --json',
  ]);
  setAction(command, checkDatasets);
}

const fields = [
  'id',
  'label',
  'text',
  'image',
  'image_description',
  'prompt',
  'response',
  'messages',
  'model',
  'risk',
  'behaviour',
  'claim',
  'doc',
  'doc_text',
  'evidence_ids',
  'category',
  'raters',
  'trivial',
];
const meanings = ['safe', 'unsafe', 'entailed', 'refuted', 'neutral'] as const;

async function checkDatasets(files: readonly string[], flags: CheckFlags): Promise<number> {
  const { fields: map, labels } = readNames(flags, fields, { meanings, example: 'hateful=unsafe,fine=safe' });
  if (files.includes('-'))
    throw badFlag(
      'Data is checked in files, not on standard input.',
      'Write the items to a file: its hash is part of the report.',
    );
  const { job, format, root, by, limit, against } = flags;
  const [precedents, training] = [await readPrecedents(flags), await loadTrainingFingerprints()];
  let found = false;
  const unreadable: string[] = [];
  for (const file of files) {
    const status = openStatusLine({ quiet: flags.quiet === true });
    const check = await checkFile(file, {
      training,
      labels,
      precedents: precedents ?? undefined,
      fields: Object.keys(map).length > 0 ? map : undefined,
      job,
      format,
      root,
      by,
      limit,
      against,
      onProgress: (items) => status.show(`${sanitize(file)}: ${formatInteger(items)} items read`),
    }).finally(status.clear);
    if (check.items === 0)
      throw new AgonError(
        'empty-data',
        `${file} holds no items.`,
        '`agon bench datasets` lists the formats that can be read.',
      );
    found ||= hasFindings(check);
    if (check.broken.items * 2 > check.items)
      unreadable.push(`${check.file}: ${check.broken.items} of ${check.items} items cannot be read`);
    printLines(flags.json ? [JSON.stringify({ version: 1, ...check })] : renderDataCheck(check));
  }
  if (unreadable.length > 0)
    throw new AgonError(
      'wrong-format',
      `${unreadable.join('; ')}.`,
      'Name the format with --format (`agon bench datasets` lists them), or the columns with --map and the labels ' +
        'with --map-label.',
    );
  return flags.strict && found ? exitCodes.failed : exitCodes.judged;
}

/** The seeds, and the precedents of the ledger: the one that was named, or the installation's own if it exists. */
async function readPrecedents({ library, config }: CheckFlags): Promise<{ id: string; text: string }[] | null> {
  if (library === false) return null;
  const seeds = await seedPrecedents(await defaultPolicy());
  const { settings } = await readInstallation({ config, ledger: library });
  if (settings.ledger === false) return seeds;
  const place = locateLedger(settings);
  if ('file' in place && !existsSync(place.file)) {
    if (library !== undefined)
      throw new AgonError(
        'no-ledger',
        `There is no ledger ${place.file}.`,
        'Name an existing ledger, or leave out --library.',
      );
    return seeds;
  }
  const ledger = await openLedger(place);
  try {
    const kept = new Map(seeds.map(({ id, text }) => [id, text]));
    for await (const { id, text } of ledger.precedents.listPrecedents({ state: 'active' })) kept.set(id, text);
    return [...kept].map(([id, text]) => ({ id, text }));
  } finally {
    await ledger.close();
  }
}
