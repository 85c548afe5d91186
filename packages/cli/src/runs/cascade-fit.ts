import type { Command } from 'commander';
import { ownJobs } from '@agonhq/core/own-jobs';
import type { Ledger } from '@agonhq/ledger';
import {
  createCascade,
  explainNoBand,
  fitCascade,
  percent,
  scoreLabelled,
  type Cascade,
  type CascadeFit,
  type GuardScores,
} from '@agonhq/core/runs';
import { addExamples, setAction, addConfigFlag, addLedgerFlag, concurrency, list, share } from '../define-command.ts';
import { saveFile } from '../files.ts';
import { withLedger } from '../open-ledger.ts';
import { exitCodes } from '../print-error.ts';
import { listenForInterrupt } from '../process.ts';
import { readNames } from '../read-flags.ts';
import { readInstallation, type CommandSettings } from '../read-settings.ts';
import { formatInteger } from '../terminal/format.ts';
import { printLines } from '../terminal/style.ts';
import { formatTable } from '../terminal/table.ts';
import { quoteForShell } from './run-summary.ts';

interface FitFlags {
  data?: string;
  job: Cascade['job'];
  risk: number;
  confidence: number;
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

/** `agon cascade fit` */
export function defineCascadeFit(command: Command): void {
  command
    .description(
      'Let the guard judge labelled data, and choose the bounds beyond which at most the given share of its verdicts ' +
        'is wrong. The guarantee holds for finite samples.',
    )
    .option(
      '--data <file>',
      'labelled items as for `agon run --file`: JSONL or CSV with "label" (default: decisions in the ledger)',
    )
    .option('--job <job>', 'job of the items', ownJobs.list()[0]!.id)
    .option('--risk <share>', 'allow at most this share of wrong guard verdicts', share, 0.05)
    .option('--confidence <share>', 'confidence of the bound', share, 0.95)
    .option('--out <cascade.json>', 'write the cascade to this file')
    .option('--root <folder>', 'folder that image paths are relative to (default: the folder of --data)')
    .option('--map <field=name,…>', 'names of the fields in the data: text=comment,label=is_toxic', list)
    .option('--map-label <value=label,…>', 'meaning of the labels in the data: hateful=unsafe', list)
    .option('--policy <file>', 'policy of the runs that will use the cascade');
  addConfigFlag(command);
  addLedgerFlag(command)
    .option('--concurrency <n>', 'items to judge at once', concurrency, 8)
    .option('--json', 'print the fit as JSON')
    .option('-q, --quiet', 'print no progress');
  addExamples(command, [
    'agon cascade fit --data labelled.jsonl --out cascade.json',
    'agon cascade fit --data comments.csv --map text=comment,label=is_toxic --risk 0.02',
    'agon run moderation --file items.jsonl --cascade cascade.json',
  ]);
  setAction(command, fitBounds);
}

async function fitBounds(flags: FitFlags): Promise<number> {
  const goal = { job: flags.job, risk: flags.risk, confidence: flags.confidence };
  const scores =
    flags.data === undefined
      ? await withLedger(flags, (ledger, given) => scoreItems(flags, given, ledger))
      : await scoreItems(flags, await readInstallation(flags), null);
  const fit = fitCascade(scores.scored, goal);
  const cascade = createCascade(fit, scores, goal);
  const atRisks = [0.01, 0.02, 0.05, 0.1].map((risk) => ({
    risk,
    fit: fitCascade(scores.scored, { risk, confidence: goal.confidence }),
  }));
  if (cascade && flags.out !== undefined)
    await saveFile(flags.out, `${JSON.stringify(cascade, null, 2)}\n`, 'Choose another file with --out.');
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
      : renderFit(fit, goal, atRisks, flags.out),
  );
  // That no bounds exist is an answer, but the file that was asked for is missing.
  return cascade === null && flags.out !== undefined ? exitCodes.failed : exitCodes.judged;
}

async function scoreItems(
  flags: FitFlags,
  { settings, jobs }: CommandSettings,
  ledger: Ledger | null,
): Promise<GuardScores> {
  const { fields, labels } = readNames(flags, jobs.require(flags.job).items.fields, {
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
      parts: { jobs },
      concurrency: flags.concurrency,
      signal: interrupt.signal,
      onProgress: reportFitting(flags.quiet === true || flags.json === true),
    });
  } finally {
    interrupt.dispose();
  }
}

function renderFit(
  fit: CascadeFit,
  goal: Pick<Cascade, 'job' | 'risk' | 'confidence'>,
  atRisks: readonly { risk: number; fit: CascadeFit }[],
  out: string | undefined,
): string[] {
  return [
    ...(fit.band ? renderBand(fit.items, fit.band, goal, out) : [`No bounds exist: ${explainNoBand(fit, goal)}`]),
    '',
    ...formatTable([
      ['risk', 'decided', 'share', 'wrong'],
      ...atRisks.map(({ risk, fit: { band, items } }) => [
        `at most ${percent(risk)}`,
        String(band?.decided ?? 0),
        percent((band?.decided ?? 0) / Math.max(items, 1)),
        String(band?.wrong ?? 0),
      ]),
    ]),
  ];
}

function renderBand(
  items: number,
  { safeUpTo, unsafeFrom, decided, wrong, bound, sides }: NonNullable<CascadeFit['band']>,
  { job, risk, confidence }: Pick<Cascade, 'job' | 'risk' | 'confidence'>,
  out: string | undefined,
): string[] {
  const run = (file: string) => `agon run ${job} --file items.jsonl --cascade ${quoteForShell(file)}`;
  const side = (name: 'safe' | 'unsafe', edge: string) =>
    `  ${name.padEnd(7)} ${edge}: ${sides[name].decided} items, ${sides[name].wrong} wrong`;
  return [
    `The guard decides ${decided} of ${items} items (${percent(decided / items)}); ${wrong} of its verdicts are ` +
      `wrong (${percent(wrong / decided)}).`,
    safeUpTo === null ? '  safe    nothing' : side('safe', `up to ${shorten(safeUpTo)}`),
    unsafeFrom === null ? '  unsafe  nothing' : side('unsafe', `from ${shorten(unsafeFrom)}`),
    `With ${percent(confidence)} confidence, at most ${percent(risk)} of its verdicts are wrong on items like these ` +
      `(exact bound ${percent(bound)}).`,
    out === undefined
      ? `Save it with --out cascade.json, for \`${run('cascade.json')}\`.`
      : `Saved as ${out}. Next: ${run(out)}`,
  ];
}

function shorten(score: number): string {
  return String(Number(score.toFixed(4)));
}

const everyMs = 2_000;

/** Reports on standard error, every few seconds, how many labelled items the guard has judged. */
export function reportFitting(quiet: boolean): (judged: number) => void {
  let shownAt = performance.now();
  return (judged) => {
    if (quiet || performance.now() - shownAt < everyMs) return;
    shownAt = performance.now();
    process.stderr.write(`Fitting the cascade: ${formatInteger(judged)} labelled items judged\n`);
  };
}
