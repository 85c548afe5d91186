import { requireJob } from '../../jobs/index.ts';
import { writeFile } from 'node:fs/promises';
import { AgonError } from '../../errors.ts';
import type { Ledger } from '../../ledger/index.ts';
import {
  cascadeOf,
  fitCascade,
  percent,
  scoreLabelled,
  whyNoBand,
  type Cascade,
  type CascadeFit,
  type GuardScores,
} from '../../runs/index.ts';
import type { Settings } from '../../settings/index.ts';
import { listenForInterrupt } from '../process.ts';
import { itemsHeard } from '../items-heard.ts';
import { readNames } from '../read-flags.ts';
import { exitCodes } from '../print-error.ts';
import { readInstallationSettings } from '../settings-flags.ts';
import { withLedger } from '../open-ledger.ts';
import { quoteForShell } from '../runs/run-summary.ts';
import { printLines } from '../terminal/style.ts';
import { formatTable } from '../terminal/table.ts';

export interface CascadeFitFlags {
  data?: string;
  job: Cascade['job'];
  risk: string;
  confidence: string;
  out?: string;
  root?: string;
  map?: string[];
  mapLabel?: string[];
  policy?: string;
  config?: string;
  ledger?: string;
  concurrency: number;
  json?: boolean;
  quiet?: boolean;
}

/** `agon cascade fit`: returns the exit code. */
export async function cascadeFitCommand(flags: CascadeFitFlags): Promise<number> {
  const goal = {
    job: flags.job,
    risk: shareFrom('--risk', flags.risk),
    confidence: shareFrom('--confidence', flags.confidence),
  };
  const scores =
    flags.data === undefined
      ? await withLedger(flags, (ledger, settings) => heard(flags, settings, ledger))
      : await heard(flags, await readInstallationSettings(flags), null);
  const fit = fitCascade(scores.scored, goal);
  const cascade = cascadeOf(fit, scores, goal);
  const atRisks = [0.01, 0.02, 0.05, 0.1].map((risk) => ({
    risk,
    fit: fitCascade(scores.scored, { risk, confidence: goal.confidence }),
  }));
  if (cascade && flags.out !== undefined) await write(flags.out, `${JSON.stringify(cascade, null, 2)}\n`);
  printLines(
    flags.json
      ? [
          JSON.stringify({
            version: 1,
            cascade,
            fit,
            atRisks: atRisks.map(({ risk, fit: { band } }) => ({
              risk,
              decided: band?.decided ?? 0,
              wrong: band?.wrong ?? 0,
            })),
          }),
        ]
      : linesOf(fit, goal, atRisks, flags.out),
  );
  // No band is an answer; but a file that was asked for is not there.
  return cascade === null && flags.out !== undefined ? exitCodes.failed : exitCodes.judged;
}

async function heard(flags: CascadeFitFlags, settings: Settings, ledger: Ledger | null): Promise<GuardScores> {
  const { fields, labels } = readNames(flags, requireJob(flags.job).items.fields, {
    meanings: ['safe', 'unsafe'],
    example: 'hateful=unsafe',
  });
  const interrupt = listenForInterrupt();
  try {
    return await scoreLabelled({
      job: flags.job,
      settings: { ...settings, ...(flags.policy === undefined ? {} : { policy: flags.policy }) },
      file: flags.data,
      reading: { ...(flags.root === undefined ? {} : { root: flags.root }), map: fields, labels },
      ledger,
      concurrency: flags.concurrency,
      signal: interrupt.signal,
      onProgress: itemsHeard(flags.quiet === true || flags.json === true),
    });
  } finally {
    interrupt.dispose();
  }
}

function linesOf(
  fit: CascadeFit,
  goal: Pick<Cascade, 'job' | 'risk' | 'confidence'>,
  atRisks: readonly { risk: number; fit: CascadeFit }[],
  out: string | undefined,
): string[] {
  return [
    ...(fit.band ? bandLines(fit.items, fit.band, goal, out) : [`No band exists: ${whyNoBand(fit, goal)}`]),
    '',
    ...formatTable([
      ['each risk for itself', 'decided', 'share', 'wrong'],
      ...atRisks.map(({ risk, fit: { band, items } }) => [
        `at most ${percent(risk)}`,
        String(band?.decided ?? 0),
        percent((band?.decided ?? 0) / Math.max(items, 1)),
        String(band?.wrong ?? 0),
      ]),
    ]),
  ];
}

function bandLines(
  items: number,
  { safeUpTo, unsafeFrom, decided, wrong, bound, sides }: NonNullable<CascadeFit['band']>,
  { job, risk, confidence }: Pick<Cascade, 'job' | 'risk' | 'confidence'>,
  out: string | undefined,
): string[] {
  const run = (file: string) => `agon run ${job} --file items.jsonl --cascade ${quoteForShell(file)}`;
  const side = (name: 'safe' | 'unsafe', edge: string) =>
    `  ${name.padEnd(7)} ${edge}: ${sides[name].decided} items, ${sides[name].wrong} of them wrong`;
  return [
    `The guard decides ${decided} of ${items} items (${percent(decided / items)}), ${wrong} of them wrong ` +
      `(${percent(wrong / decided)}).`,
    safeUpTo === null ? '  safe    nothing' : side('safe', `up to ${short(safeUpTo)}`),
    unsafeFrom === null ? '  unsafe  nothing' : side('unsafe', `from ${short(unsafeFrom)}`),
    `With ${percent(confidence)} confidence at most ${percent(risk)} of what it decides is wrong, on items like ` +
      `these (exact bound ${percent(bound)}).`,
    out === undefined
      ? `Keep it with --out cascade.json, for \`${run('cascade.json')}\`.`
      : `It is in ${out}. Next: ${run(out)}`,
  ];
}

function short(score: number): string {
  return String(Number(score.toFixed(4)));
}

function shareFrom(flag: string, text: string): number {
  const share = Number(text);
  if (text.trim() !== '' && share > 0 && share < 1) return share;
  throw new AgonError(
    'bad-flag',
    `${flag} ${text} is no share between 0 and 1.`,
    `Write ${flag} ${flag === '--risk' ? '0.05' : '0.95'}.`,
  );
}

async function write(file: string, json: string): Promise<void> {
  await writeFile(file, json).catch((error: NodeJS.ErrnoException) => {
    throw new AgonError(
      'cannot-write',
      `${file} cannot be written: ${error.code ?? error.message}.`,
      'Give another --out.',
      { cause: error },
    );
  });
}
