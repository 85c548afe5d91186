import { stat } from 'node:fs/promises';
import path from 'node:path';
import { resolveScreening, runScreening, type ScreenedJob } from '../../bench/screen/index.ts';
import { AgonError } from '../../errors.ts';
import type { Settings } from '../../settings/index.ts';
import { readDataNames, readDataSettings, type ContentDataFlags, type DataFlags } from '../bench/data-flags.ts';
import { renderResolved, renderScreening } from '../bench/show-screening.ts';
import { watchBench } from '../bench/watch-bench.ts';
import { readNames } from '../read-flags.ts';
import { exitCodes } from '../print-error.ts';
import { readEvaluationSettings, type EvaluationSettingsFlags } from '../settings-flags.ts';
import { sanitize, printLines, style } from '../terminal/style.ts';

interface ScreenFlags extends DataFlags {
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

export type ScreenModerationFlags = ScreenFlags & ContentDataFlags;
export type ScreenEvaluationFlags = ScreenFlags & EvaluationSettingsFlags;

/** `agon bench screen moderation`: returns the exit code. */
export async function screenModerationCommand(flags: ScreenModerationFlags): Promise<number> {
  return screen('moderation', flags, await readDataSettings(flags), {
    ...(flags.root === undefined ? {} : { root: flags.root }),
    preferImages: flags.vision === true,
  });
}

/** `agon bench screen evaluation`: returns the exit code. */
export async function screenEvaluationCommand(flags: ScreenEvaluationFlags): Promise<number> {
  return screen('evaluation', flags, await readEvaluationSettings(flags), {});
}

async function screen(
  job: ScreenedJob,
  flags: ScreenFlags,
  settings: Settings,
  reading: { root?: string; preferImages?: boolean },
): Promise<number> {
  const [file, ...others] = flags.data as [string, ...string[]];
  if (others.length > 0)
    throw new AgonError(
      'bad-flag',
      '--data: one file is screened at a time.',
      'Run the command once for each, with a --flagged of its own.',
    );
  const files = { flagged: flags.flagged, key: keyFileOf(flags), agreed: flags.agreed };
  await assertFree(files);
  assertApart({ data: file, out: flags.out, shots: flags.shots, ...files });
  const report = await runScreening(
    {
      file,
      options: {
        job,
        ...reading,
        ...readDataNames(flags, job),
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
    { watch: watchBench({ quiet: flags.quiet, kept: flags.out !== undefined }), onNote: say },
  );
  if (flags.json) printLines([JSON.stringify(report)]);
  else printLines(renderScreening(report));
  if (!flags.quiet) {
    for (const [what, written] of Object.entries(files))
      if (written !== undefined) process.stderr.write(`${what[0]!.toUpperCase()}${what.slice(1)}: ${written}\n`);
  }
  return exitCodes.judged;
}

/** Beside the flagged items, where nobody said. */
function keyFileOf({ blind, key, flagged }: ScreenFlags): string | undefined {
  if (!blind && key !== undefined)
    throw new AgonError(
      'bad-flag',
      '--key goes with --blind: otherwise nothing is hidden.',
      'Add --blind, or leave --key out.',
    );
  if (!blind) return undefined;
  const { dir, name, ext } = path.parse(flagged);
  return key ?? path.join(dir, `${name}.key${ext}`);
}

export interface ScreenResolveFlags {
  votes: string[];
  key?: string;
  out: string;
  open?: string;
  atLeast?: number;
  mapLabel?: string[];
  json?: boolean;
}

/** `agon bench screen resolve FLAGGED`: returns the exit code. */
export async function screenResolveCommand(flagged: string, flags: ScreenResolveFlags): Promise<number> {
  const { key, out, open, atLeast } = flags;
  assertApart({
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
    ({ file, line, message }) => say(`${file}, line ${line}: ${message}`),
  );
  if (flags.json) printLines([JSON.stringify(report)]);
  else printLines(renderResolved(report));
  return exitCodes.judged;
}

function say(line: string): void {
  process.stderr.write(`${style('yellow', 'agon:', process.stderr)} ${sanitize(line.replace(/\s*\n\s*/g, ' '))}\n`);
}

/** People may already have written into these files. */
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
        `${file} is there already, and people may have worked on it.`,
        `Give another --${flag}, or remove the file.`,
      );
  }
}

function assertApart(files: Readonly<Record<string, string | undefined>>): void {
  const places = new Map<string, string>();
  for (const [name, file] of Object.entries(files)) {
    if (file === undefined) continue;
    const place = path.resolve(file);
    if (places.has(place) && place !== '/dev/null')
      throw new AgonError(
        'bad-flag',
        `${file} is given twice, as ${places.get(place)} and as ${name}.`,
        'Give each a file of its own.',
      );
    places.set(place, name);
  }
}
