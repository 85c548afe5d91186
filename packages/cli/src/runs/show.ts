import type { Command } from 'commander';
import type { CascadeReport, FailureKind, PlanDescription, Quality, RunReport } from '@agonhq/core/runs';
import { toOneLine } from '@agonhq/engine/text';
import { addExamples, setLedgerAction, addLedgerFlags, runArgument } from '../define-command.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import {
  printCount,
  formatCounts,
  printDuration,
  formatInteger,
  formatMoment,
  formatMoney,
  printPercent,
  printShare,
} from '../terminal/format.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import { formatFacts, formatRow, type PrintedFact } from '../terminal/table.ts';

/** `agon runs show RUN` */
export function defineRunsShow(command: Command): void {
  command
    .description(
      'Show the state of a run: its plan, verdicts and failures, what its cascade saved, and how accurate it was on ' +
        'labelled items.',
    )
    .argument('<run>', runArgument)
    .option('--json', 'print everything as JSON');
  addLedgerFlags(command);
  addExamples(command, ['agon runs show nightly', 'agon runs show run-1f3a --json']);
  setLedgerAction(command, showRun);
}

async function showRun({ ledger }: OpenLedger, name: string, flags: LedgerFlags & { json?: boolean }): Promise<void> {
  const { reportRun, requireRun } = await import('@agonhq/core/runs');
  const report = await reportRun(ledger, await requireRun(ledger, name));
  printLines(flags.json ? [JSON.stringify(report)] : renderRun(report));
}

function renderRun(report: RunReport): string[] {
  const { id, name } = report;
  return [
    `${style('bold', `Run ${sanitize(id)}`)}${name === null ? '' : ` ${sanitize(name)}`}`,
    ...formatFacts([
      ...listState(report),
      ...listPlan(report.plan),
      ...(report.cascade ? listCascade(report.cascade) : []),
      ...(report.quality ? listQuality(report.quality) : []),
    ]),
    ...renderFailures(report.failures),
    ...renderNextSteps(report),
  ];
}

function listState({
  job,
  state,
  problem,
  input,
  total,
  startedAt,
  endedAt,
  counts,
  committed,
}: RunReport): PrintedFact[] {
  const { waiting, running, done, failed, same, byLabel, escalated, usage } = counts;
  const seconds = ((endedAt ?? new Date()).getTime() - startedAt.getTime()) / 1000;
  const items = [
    `${formatInteger(done)} judged`,
    same > 0 && printCount(same, 'duplicate'),
    failed > 0 && `${formatInteger(failed)} failed`,
    running > 0 && `${formatInteger(running)} running`,
    waiting > 0 && `${formatInteger(waiting)} waiting`,
  ];
  const perItem = done === 0 || !usage.costUsd ? '' : `, ${formatMoney(usage.costUsd / done)} per item`;
  return [
    ['state', `${state}${problem === null ? '' : `: ${problem}`}`],
    ['job', `${job}${input === null ? '' : ` of ${input}`}`],
    ['time', `${formatMoment(startedAt)}, ${printDuration(seconds)}${endedAt ? '' : ' so far'}`],
    [
      'items',
      items.filter(Boolean).join(', ') +
        (total === null ? '; the input is not fully read yet' : ` of ${formatInteger(total)}`),
    ],
    done > 0 && [
      'verdicts',
      `${formatCounts(byLabel)}${escalated > 0 ? `; ${formatInteger(escalated)} need review` : ''}`,
    ],
    [
      'spend',
      `${usage.costUsd === null ? 'price unknown' : formatMoney(usage.costUsd)}${perItem}: ` +
        `${printCount(usage.calls, 'call')}, ${formatTokens(usage)}`,
    ],
    committed.tokens > 0 && [
      'budget used',
      `${formatMoney(committed.usd)} and ${printCount(committed.tokens, 'token')} spent or reserved`,
    ],
  ];
}

function formatTokens({ inputTokens, outputTokens, cachedTokens }: RunReport['counts']['usage']): string {
  const cached = cachedTokens > 0 ? ` (${formatInteger(cachedTokens)} cached)` : '';
  return `${formatInteger(inputTokens)} tokens in${cached}, ${formatInteger(outputTokens)} out`;
}

function listPlan(plan: PlanDescription | null): PrintedFact[] {
  if (!plan) return [];
  const { models, limits, budget, policy, attempts } = plan;
  const bounds = Object.entries(limits).map(([model, { concurrency, requestsPerMinute, tokensPerMinute }]) => {
    const own = [
      concurrency !== undefined && `${concurrency} at once`,
      requestsPerMinute !== undefined && `${requestsPerMinute} requests/min`,
      tokensPerMinute !== undefined && `${tokensPerMinute} tokens/min`,
    ];
    return `${model} ${own.filter(Boolean).join(', ')}`;
  });
  const sums = [
    budget.runUsd !== undefined && `${formatMoney(budget.runUsd)} in total`,
    budget.runTokens !== undefined && `${printCount(budget.runTokens, 'token')} in total`,
    budget.itemUsd !== undefined && `${formatMoney(budget.itemUsd)} per item`,
    budget.itemTokens !== undefined && `${printCount(budget.itemTokens, 'token')} per item`,
  ].filter(Boolean);
  return [
    [
      'models',
      Object.entries(models)
        .map(([seat, model]) => (seat === 'default' ? model : `${seat} ${model}`))
        .join(', ') || 'none',
    ],
    policy !== null && ['policy', policy],
    ['limits', bounds.join('; ') || 'none'],
    ['budget', sums.join(', ') || 'none'],
    attempts !== null && ['attempts', `${attempts} before an item fails`],
    ['cascade', plan.cascade ? describeBounds(plan.cascade) : 'none: every item is debated'],
  ];
}

function describeBounds({ safeUpTo, unsafeFrom, risk, confidence }: NonNullable<PlanDescription['cascade']>): string {
  const bounds = [
    safeUpTo !== null && `safe up to ${safeUpTo.toFixed(3)}`,
    unsafeFrom !== null && `unsafe from ${unsafeFrom.toFixed(3)}`,
  ].filter(Boolean);
  return (
    `${bounds.join(', ') || 'the guard decides nothing'}; at most ${printPercent(risk)} of its verdicts wrong, ` +
    `with ${printPercent(confidence)} confidence`
  );
}

function listCascade({ decided, debated, shareDecided, bound, risk, saved }: CascadeReport): PrintedFact[] {
  const achieved = risk
    ? `${formatInteger(risk.wrong)} of ${printCount(risk.items, 'labelled item')} wrong: ` +
      `${printPercent(risk.share)}, 95 % interval ${risk.interval.map(printPercent).join(' to ')}` +
      (bound ? ` (allowed: at most ${printPercent(bound.risk)})` : '')
    : 'no item that the guard decided has a label';
  return [
    [
      'decided',
      `${formatInteger(decided)} by the guard (${printPercent(shareDecided)}), ${formatInteger(debated)} debated`,
    ],
    ['risk', achieved],
    [
      'saved',
      saved
        ? `about ${printCount(saved.calls, 'call')}` +
          `${saved.costUsd === null ? '' : ` and ${formatMoney(saved.costUsd)}`}, at the mean of the debated items`
        : 'unknown: no item was debated',
    ],
  ];
}

function listQuality({ items, accuracy, precision, recall, f1, confusion }: Quality): PrintedFact[] {
  return [
    [
      'quality',
      `accuracy ${printShare(accuracy)}, precision ${printShare(precision)}, recall ${printShare(recall)}, ` +
        `F1 ${printShare(f1)} on ${printCount(items, 'labelled item')}`,
    ],
    ['truth', formatCounts(confusion)],
  ];
}

function renderFailures(failures: readonly FailureKind[]): string[] {
  return failures.flatMap(({ code, items, examples }) => [
    style('yellow', `${printCount(items, 'item')} failed with ${sanitize(code)}`),
    ...examples.flatMap(({ line, key, error }) =>
      formatRow(`  line ${line}  `, sanitize(toOneLine(`${key}: ${error.message}`))),
    ),
  ]);
}

function renderNextSteps({ id, state, failures, counts }: RunReport): string[] {
  const lines = [
    ...(state === 'finished' || state === 'running' ? [] : [`To continue: agon runs resume ${id}`]),
    // A killed process leaves no trace of its end.
    ...(state === 'running' && counts.endedLastMinute === 0
      ? [`No item finished in the last minute. If no process works on the run: agon runs resume ${id}`]
      : []),
    ...(failures.some(({ items, examples }) => items > examples.length)
      ? [`All failures: agon runs export ${id} --only failed`]
      : []),
    ...(failures.some(({ code }) => code !== 'broken-line') ? [`To try them again: agon runs retry-failed ${id}`] : []),
  ];
  return lines.map((line) => style('dim', line));
}
