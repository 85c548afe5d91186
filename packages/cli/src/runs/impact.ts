import type { Command } from 'commander';
import type { Jobs } from '@agonhq/judges/job';
import type { Usage } from '@agonhq/engine/debate';
import { AgonError, badFlag, reviveError, type StoredError } from '@agonhq/engine/agon-error';
import type { Ledger } from '@agonhq/ledger';
import type { ImpactReport, PastCases } from '@agonhq/core/runs';
import { addExamples, setAction, addLedgerFlags, concurrency, positive, runArgument } from '../define-command.ts';
import type { LedgerFlags } from '../open-ledger.ts';
import { exitCodeOf, exitCodes, formatError, printError } from '../print-error.ts';
import { listenForInterrupt } from '../process.ts';
import { readPastMoment } from '../read-flags.ts';
import { addSpendingFlags } from '../settings-flags.ts';
import { printCount, formatCounts, formatInteger, formatMoney, printPercent } from '../terminal/format.ts';
import { openProgressLine } from '../terminal/progress-line.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import { fitLines, formatFacts, formatTable, type PrintedFact } from '../terminal/table.ts';

interface ImpactFlags extends LedgerFlags {
  policy: string;
  run?: string;
  since?: string;
  job?: string;
  limit?: number;
  sample?: number;
  seed: number;
  concurrency: number;
  out?: string;
  json?: boolean;
  quiet?: boolean;
}

/** `agon runs impact --policy FILE` */
export function defineRunsImpact(command: Command): void {
  command
    .description(
      'Judge past cases again under another policy and list what it would have changed, clause by clause. Turns that ' +
        'the change does not affect are recalled. The replays are recorded: an interrupted command continues where ' +
        'it stopped.',
    )
    .requiredOption('--policy <file>', 'the new policy')
    .option('--run <run>', `only cases of this run: ${runArgument}`)
    .option('--since <time>', 'only cases since this time: 30d, 12h, or a date')
    .option('--job <job>', 'only cases of this job')
    .option('--limit <n>', 'only the newest n cases', positive)
    .option('--sample <n>', 'only a random sample of n cases', positive)
    .option('--seed <n>', 'seed of the sample', positive, 1)
    .option('--concurrency <n>', 'cases to judge at once', concurrency, 8)
    .option('--cache <folder>', 'cache model answers in this folder; "ledger" caches them in the ledger')
    .option('--out <flips.jsonl>', 'write every changed case here, one JSON object per line')
    .option('--json', 'print the report as JSON')
    .option('-q, --quiet', 'print no progress');
  addSpendingFlags(command, { item: 'spend at most this much per case', total: 'spend at most this much in total' });
  addLedgerFlags(command);
  addExamples(command, [
    'agon runs impact --policy new.yaml --since 30d',
    'agon runs impact --policy new.yaml --run nightly --out flips.jsonl',
    'agon runs impact --policy new.yaml --sample 500 --run-budget-usd 5',
  ]);
  setAction(command, showImpact);
}

async function showImpact(flags: ImpactFlags): Promise<number> {
  if (flags.run !== undefined && (flags.since !== undefined || flags.job !== undefined)) {
    throw badFlag('--run cannot be combined with --since or --job.', 'A run already has its items and its job.');
  }
  const { noUsage } = await import('@agonhq/engine/debate');
  const { loadPolicy } = await import('@agonhq/engine/policy');
  const { measureImpact, openLineFile } = await import('@agonhq/core/runs');
  const { withLedger } = await import('../open-ledger.ts');
  const policy = await loadPolicy(flags.policy);
  return withLedger(flags, async (ledger, { settings, jobs }) => {
    const cases = await selectCases(jobs, ledger, flags);
    const out = flags.out === undefined ? null : await openLineFile(flags.out);
    const interrupt = listenForInterrupt();
    let spent: Usage = noUsage;
    const line = openProgressLine({ quiet: flags.quiet === true, spent: () => spent });
    try {
      const report = await measureImpact(ledger, {
        jobs,
        policy,
        cases,
        settings,
        concurrency: flags.concurrency,
        signal: interrupt.signal,
        onProgress: (progress, usage) => {
          spent = usage;
          line.show(progress);
        },
        onChange: (change) => out?.write(`${JSON.stringify(change)}\n`),
        onFailure: (id, error) => line.note(`case ${id}: ${formatError(reviveError(error))}`),
      });
      line.stop();
      await out?.keep();
      printLines(flags.json ? [JSON.stringify(report)] : renderImpact(report));
      if (!report.stopped) return Object.keys(report.failed).length > 0 ? exitCodes.failed : exitCodes.judged;
      const stopped = reviveError({ ...report.stopped, hint: hintToContinue(report.stopped) });
      printError(stopped);
      return exitCodeOf(stopped);
    } catch (error) {
      line.stop();
      await out?.drop();
      throw error;
    } finally {
      interrupt.dispose();
    }
  });
}

function hintToContinue({ code, hint }: StoredError): string {
  return code === 'cancelled'
    ? 'These are the findings so far. Run the command again to continue; nothing is debated twice.'
    : hint;
}

async function selectCases(
  jobs: Jobs,
  ledger: Ledger,
  { run, since, job, limit, sample, seed }: ImpactFlags,
): Promise<PastCases> {
  const { requireRun } = await import('@agonhq/core/runs');
  const named = run === undefined ? null : await requireRun(ledger, run);
  assertPolicyJob(jobs, named?.job ?? job);
  if (named) return { run: named.id, limit, sample, seed };
  return { limit, sample, seed, job, ...(since === undefined ? {} : { since: readPastMoment('--since', since) }) };
}

function assertPolicyJob(jobs: Jobs, id: string | undefined): void {
  if (id === undefined || jobs.require(id).usesPolicy) return;
  const others = jobs.list().filter((job) => job.usesPolicy);
  throw new AgonError(
    'other-job',
    `No policy applies to cases of ${id}.`,
    `Choose cases of ${others.map((job) => job.id).join(' or ')}.`,
  );
}

function renderImpact(report: ImpactReport): string[] {
  const { policy, cases, byClause } = report;
  if (cases === 0 && report.stopped === null)
    return [
      'No case could be judged again' +
        (report.skipped > 0 ? `: ${printCount(report.skipped, 'case')} without content or verdict.` : '.'),
    ];
  return [
    style('bold', sanitize(`Under ${policy.name} ${policy.version}`)),
    ...formatFacts(listFacts(report)),
    ...(byClause.length === 0
      ? []
      : fitLines(formatTable([heading, ...byClause.map(formatClause)], [0, 1, 4]).map((line) => `  ${line}`))),
    ...(byClause.length === 0 ? [] : [style('dim', 'To see a case and its replay: agon show CASE')]),
  ];
}

function listFacts(report: ImpactReport): PrintedFact[] {
  const { cases, unchanged, flips, otherClauses, escalated, degraded, failed, skipped, usage } = report;
  const flipped = Object.values(flips).reduce((sum, number) => sum + number, 0);
  const share = (number: number) => (cases === 0 ? '' : ` (${printPercent(number / cases)})`);
  return [
    ['cases', `${printCount(cases, 'case')} judged again${report.stopped ? ', then stopped' : ''}`],
    ['unchanged', `${formatInteger(unchanged)}${share(unchanged)}`],
    ['flips', flipped === 0 ? 'none' : `${formatInteger(flipped)}${share(flipped)}: ${formatCounts(flips)}`],
    otherClauses > 0 && ['other clauses', `${formatInteger(otherClauses)} with the same verdict under other clauses`],
    ['for review', `${formatInteger(escalated.before)} before, ${formatInteger(escalated.after)} after`],
    degraded > 0 && [
      'degraded',
      `${printCount(degraded, 'case')} in which a seat failed, which alone may have flipped them`,
    ],
    Object.keys(failed).length > 0 && ['failed', formatCounts(failed)],
    skipped > 0 && ['skipped', `${formatInteger(skipped)} without content or verdict`],
    ['entries', `${formatInteger(report.recalled)} recalled, ${formatInteger(report.argued)} debated anew`],
    [
      'spend',
      `${usage.costUsd === null ? 'price unknown' : formatMoney(usage.costUsd)}, ${printCount(usage.calls, 'call')}`,
    ],
  ];
}

const heading = ['clause', 'flips', 'added', 'removed', 'cases'];

function formatClause({ clause, flips, entered, left, examples }: ImpactReport['byClause'][number]): string[] {
  return [
    sanitize(clause ?? '(no clause)'),
    sanitize(formatCounts(flips)) || '–',
    String(entered),
    String(left),
    sanitize(examples.slice(0, 3).join(' ')),
  ];
}
