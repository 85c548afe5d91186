import { stat } from 'node:fs/promises';
import path from 'node:path';
import { resolveScreening, runScreening } from '@agonhq/bench';
import { AgonError, badFlag } from '@agonhq/engine/agon-error';
import type { Settings } from '@agonhq/core/settings';
import { printLines, printNote } from '../terminal/style.ts';
import { readDataNames, type DataFlags, type DataNames } from './plan-bench.ts';
import { renderScreening } from './show-screening.ts';
import { watchBench } from './watch-bench.ts';
import type { Command } from 'commander';
import { addExamples, setAction, collect, list, positive } from '../define-command.ts';
import { readNames } from '../read-flags.ts';

export interface ScreenFlags extends DataFlags {
  format?: string;
  systems?: string[];
  quorum: number;
  shots?: string;
  flagged: string;
  agreed?: string;
  blind?: boolean;
  key?: string;
  out?: string;
  json?: boolean;
}

/** Lets several systems judge one file of raw data, and writes the items that people should look at. */
export async function askAboutItems(
  job: string,
  flags: ScreenFlags,
  settings: Settings,
  { names, ...reading }: { names: DataNames; root?: string; preferImages?: boolean },
): Promise<void> {
  const [file, ...others] = flags.data as [string, ...string[]];
  if (others.length > 0)
    throw badFlag('--data takes one file here.', 'Run the command once for each file, with its own --flagged.');
  const files = { flagged: flags.flagged, key: locateKey(flags), agreed: flags.agreed };
  await assertFree(files);
  assertDistinct({ data: file, out: flags.out, shots: flags.shots, ...files });
  const report = await runScreening(
    {
      job,
      file,
      options: {
        ...reading,
        ...readDataNames(flags, names),
        ...(flags.format === undefined ? {} : { format: flags.format }),
        ...(flags.limit === undefined ? {} : { limit: flags.limit }),
      },
      ...(flags.systems === undefined ? {} : { systems: flags.systems }),
      settings,
      quorum: flags.quorum,
      concurrency: flags.concurrency,
      ...(flags.shots === undefined ? {} : { shots: flags.shots }),
      ...(flags.out === undefined ? {} : { out: flags.out }),
      files,
    },
    { watch: watchBench({ quiet: flags.quiet, kept: flags.out !== undefined }), onNote: printNote },
  );
  if (flags.json) printLines([JSON.stringify(report)]);
  else printLines(renderScreening(report));
  if (!flags.quiet) {
    for (const [what, written] of Object.entries(files))
      if (written !== undefined) process.stderr.write(`${what[0]!.toUpperCase()}${what.slice(1)}: ${written}\n`);
  }
}

/** By default beside the flagged items. */
function locateKey({ blind, key, flagged }: ScreenFlags): string | undefined {
  if (!blind && key !== undefined)
    throw badFlag('--key needs --blind: otherwise nothing is hidden.', 'Add --blind, or leave out --key.');
  if (!blind) return undefined;
  const { dir, name, ext } = path.parse(flagged);
  return key ?? path.join(dir, `${name}.key${ext}`);
}

/** People may already have worked on these files. */
async function assertFree(files: Readonly<Record<string, string | undefined>>): Promise<void> {
  for (const [flag, file] of Object.entries(files)) {
    const isThere =
      file !== undefined &&
      (await stat(file).then(
        (found) => found.isFile(),
        () => false,
      ));
    if (isThere)
      throw new AgonError(
        'file-exists',
        `${file} already exists, and people may have worked on it.`,
        `Choose another --${flag}, or remove the file.`,
      );
  }
}

function assertDistinct(files: Readonly<Record<string, string | undefined>>): void {
  const places = new Map<string, string>();
  for (const [name, file] of Object.entries(files)) {
    if (file === undefined) continue;
    const place = path.resolve(file);
    if (places.has(place) && place !== '/dev/null')
      throw badFlag(`${file} is used twice, as ${places.get(place)} and as ${name}.`, 'Use a different file for each.');
    places.set(place, name);
  }
}

interface ResolveFlags {
  votes: string[];
  key?: string;
  out: string;
  open?: string;
  atLeast?: number;
  mapLabel?: string[];
  json?: boolean;
}

/** `agon bench screen resolve FLAGGED` */
export function defineScreenResolve(command: Command): void {
  command
    .description(
      'Count the votes on flagged items: the labels that people chose, how far they agreed, and what is open.',
    )
    .argument('<flagged.jsonl>', 'the items that people voted on')
    .requiredOption(
      '--votes <votes.jsonl>',
      'votes, one JSON object per line ("id", "rater", "label", "reason"), or .csv with these columns; without a ' +
        '"rater", the name of the file counts (repeatable)',
      collect,
    )
    .requiredOption('--out <decided.jsonl>', 'write the decided items here, as labelled data for agon bench')
    .option('--key <flagged.key.jsonl>', 'what --blind left out')
    .option('--open <open.jsonl>', 'write the undecided items here, as they were asked')
    .option('--at-least <n>', 'votes that an item needs (default: one from every rater)', positive)
    .option('--map-label <value=label,…>', 'meaning of the labels in the votes: risky=unsafe,fine=safe', list)
    .option('--json', 'print the figures as JSON');
  addExamples(command, [
    'agon bench screen resolve flagged.jsonl --votes ada.jsonl --votes ben.csv --out decided.jsonl',
    'agon bench screen resolve flagged.jsonl --votes ada.jsonl --key flagged.key.jsonl --out decided.jsonl',
    'agon bench moderation --data decided.jsonl',
  ]);
  setAction(command, resolveVotes);
}

async function resolveVotes(flagged: string, flags: ResolveFlags): Promise<void> {
  const { renderResolved } = await import('./show-screening.ts');
  const { key, out, open, atLeast } = flags;
  assertDistinct({
    flagged,
    key,
    out,
    open,
    ...Object.fromEntries(flags.votes.map((file, index) => [`votes ${index + 1}`, file])),
  });
  const { labels } = readNames(flags, ['id', 'rater', 'label', 'reason'], {
    meanings: ['safe', 'unsafe'],
    example: 'risky=unsafe,fine=safe',
  });
  const report = await resolveScreening(
    {
      flagged,
      votes: flags.votes,
      labels,
      ...(key === undefined ? {} : { key }),
      ...(atLeast === undefined ? {} : { atLeast }),
      files: { out, ...(open === undefined ? {} : { open }) },
    },
    ({ file, line, message }) => printNote(`${file}, line ${line}: ${message}`),
  );
  if (flags.json) printLines([JSON.stringify(report)]);
  else printLines(renderResolved(report));
}
