import { existsSync } from 'node:fs';
import {
  checkFile,
  dataFormats,
  hasFindings,
  shippedTrainedOn,
  type BenchJob,
  type FileCheck,
} from '../../bench/index.ts';
import { AgonError } from '../../errors.ts';
import { findLedgerPlace, openLedger, parseLedgerPlace } from '../../ledger/index.ts';
import { defaultPolicy } from '../../policy/index.ts';
import { seedPrecedents } from '../../precedents/index.ts';
import { renderDataCheck } from '../bench/show-data-check.ts';
import { readNames } from '../read-flags.ts';
import { exitCodes } from '../print-error.ts';
import { readInstallationSettings } from '../settings-flags.ts';
import { sanitize, printLines, style } from '../terminal/style.ts';

/** `agon bench datasets`: returns the exit code. */
export function datasetsCommand({ json }: { json?: boolean }): number {
  const formats = dataFormats.map(({ name, jobs, description, source, columns }) => ({
    name,
    jobs,
    description,
    source,
    columns,
  }));
  if (json) process.stdout.write(`${JSON.stringify({ version: 1, formats })}\n`);
  else {
    printLines(
      formats.flatMap(({ name, jobs, description, source, columns }) => [
        `${style('cyan', name)}  ${style('dim', jobs.join(', '))}`,
        `  ${description}`,
        `  ${style('dim', 'from')}    ${source}`,
        `  ${style('dim', 'columns')} ${columns}`,
      ]),
    );
  }
  return exitCodes.judged;
}

export interface DatasetsCheckFlags {
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

/** `agon bench datasets check`: returns the exit code. */
export async function datasetsCheckCommand(files: readonly string[], flags: DatasetsCheckFlags): Promise<number> {
  const { fields: map, labels } = readNames(flags, fields, { meanings, example: 'hateful=unsafe,fine=safe' });
  if (files.includes('-'))
    throw new AgonError(
      'bad-flag',
      'Data is checked in files, not from standard input.',
      'Write the items to a file: its hash is part of the report.',
    );
  const [precedents, training] = [await libraryOf(flags), await shippedTrainedOn()];
  let found = false;
  const unreadable: string[] = [];
  for (const file of files) {
    const progress = progressOn(file, flags.quiet === true);
    const check = await checkFile(file, {
      training,
      labels,
      ...(precedents ? { precedents } : {}),
      ...(Object.keys(map).length > 0 ? { fields: map } : {}),
      ...(flags.job === undefined ? {} : { job: flags.job as BenchJob }),
      ...(flags.format === undefined ? {} : { format: flags.format }),
      ...(flags.root === undefined ? {} : { root: flags.root }),
      ...(flags.by === undefined ? {} : { by: flags.by }),
      ...(flags.limit === undefined ? {} : { limit: flags.limit }),
      against: flags.against ?? [],
      onProgress: progress.show,
    }).finally(progress.end);
    if (check.items === 0)
      throw new AgonError(
        'empty-data',
        `${file} holds no items: there is nothing to check.`,
        '`agon bench datasets` lists what can be read.',
      );
    found ||= hasFindings(check);
    if (check.broken.items * 2 > check.items)
      unreadable.push(`${check.file}: ${check.broken.items} of ${check.items} items cannot be read`);
    print(check, flags.json === true);
  }
  if (unreadable.length > 0)
    throw new AgonError(
      'wrong-format',
      `${unreadable.join('; ')}.`,
      'Name the layout with --format (`agon bench datasets` lists them), or the columns with --map and the labels ' +
        'with --map-label.',
    );
  return flags.strict && found ? exitCodes.failed : exitCodes.judged;
}

function print(check: FileCheck, json: boolean): void {
  process.stdout.write(
    json ? `${JSON.stringify({ version: 1, ...check })}\n` : `${renderDataCheck(check).join('\n')}\n`,
  );
}

/** The seeds, and the precedents of the ledger: one that is named, or the installation's own where there is one. */
async function libraryOf({ library, config }: DatasetsCheckFlags): Promise<{ id: string; text: string }[] | null> {
  if (library === false) return null;
  const seeds = await seedPrecedents(await defaultPolicy());
  const settings = await readInstallationSettings({
    ...(config === undefined ? {} : { config }),
    ...(library === undefined ? {} : { ledger: library }),
  });
  if (settings.ledger === false) return seeds;
  const place = settings.ledger === undefined ? findLedgerPlace(process.env) : parseLedgerPlace(settings.ledger);
  if ('file' in place && !existsSync(place.file)) {
    if (library !== undefined)
      throw new AgonError(
        'no-ledger',
        `There is no ledger ${place.file}.`,
        'Name one that there is, or leave --library out.',
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

/** Items so far on standard error: redrawn in a terminal, a line every few seconds in a log. */
function progressOn(file: string, quiet: boolean): { show: (items: number) => void; end: () => void } {
  const { stderr } = process;
  const pauseMs = stderr.isTTY ? 100 : 5_000;
  let shownAt = performance.now();
  let drawn = false;
  return {
    show(items) {
      if (quiet || performance.now() - shownAt < pauseMs) return;
      shownAt = performance.now();
      drawn = true;
      const line = `${sanitize(file)}: ${items.toLocaleString('en-US')} items read`;
      stderr.write(stderr.isTTY ? `\r\u001b[K${line.slice(0, (stderr.columns ?? 80) - 1)}` : `${line}\n`);
    },
    end() {
      if (drawn && stderr.isTTY) stderr.write('\r\u001b[K');
    },
  };
}
