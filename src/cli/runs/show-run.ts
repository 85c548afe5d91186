import type { CascadeReport, FailureKind, PlanInWords, Quality, RunReport } from '../../runs/index.ts';
import {
  formatCount,
  formatShare,
  formatMoment,
  formatCounts,
  formatDuration,
  formatMoney,
  formatPercent,
} from '../terminal/format.ts';
import { formatRow } from '../terminal/table.ts';
import { sanitize, style } from '../terminal/style.ts';
import { toOneLine } from '../../text/index.ts';

type Line = [name: string, words: string];

/** A run for a terminal: where it stands, then what it is judged by, then what came of it. */
export function renderRun(report: RunReport): string[] {
  const { id, name } = report;
  return [
    `${style('bold', `Run ${sanitize(id)}`)}${name === null ? '' : ` ${sanitize(name)}`}`,
    ...rows([
      ...standing(report),
      ...planRows(report.plan),
      ...(report.cascade ? cascadeRows(report.cascade) : []),
      ...(report.quality ? qualityRows(report.quality) : []),
    ]),
    ...failureLines(report.failures),
    ...nextLines(report),
  ];
}

function rows(lines: readonly Line[]): string[] {
  const width = Math.max(...lines.map(([name]) => name.length));
  return lines.flatMap(([name, words]) => formatRow(`  ${name.padEnd(width)}  `, sanitize(words)));
}

function standing({ job, state, problem, input, total, startedAt, endedAt, counts, committed }: RunReport): Line[] {
  const { waiting, running, done, failed, same, byLabel, escalated, usage } = counts;
  const seconds = ((endedAt ?? new Date()).getTime() - startedAt.getTime()) / 1000;
  const items = [
    `${done.toLocaleString('en')} judged`,
    same > 0 && `${same.toLocaleString('en')} the same as another`,
    failed > 0 && `${failed.toLocaleString('en')} failed`,
    running > 0 && `${running.toLocaleString('en')} running`,
    waiting > 0 && `${waiting.toLocaleString('en')} waiting`,
  ];
  const perItem = done === 0 || !usage.costUsd ? '' : `, ${formatMoney(usage.costUsd / done)} an item`;
  return [
    ['state', `${state}${problem === null ? '' : `: ${problem}`}`],
    ['job', `${job}${input === null ? '' : ` of ${input}`}`],
    ['time', `${formatMoment(startedAt)}, ${formatDuration(seconds)}${endedAt ? '' : ' so far'}`],
    [
      'items',
      `${items.filter(Boolean).join(', ')}${total === null ? '; the input is not read to its end' : ` of ${total.toLocaleString('en')}`}`,
    ],
    ...(done > 0
      ? ([
          [
            'verdicts',
            `${formatCounts(byLabel)}${escalated > 0 ? `; a person should look at ${escalated.toLocaleString('en')}` : ''}`,
          ],
        ] satisfies Line[])
      : []),
    [
      'spend',
      `${usage.costUsd === null ? 'price unknown' : formatMoney(usage.costUsd)}${perItem}: ` +
        `${formatCount(usage.calls, 'call')}, ${tokens(usage)}`,
    ],
    ...(committed.tokens > 0
      ? ([
          [
            'of the budget',
            `${formatMoney(committed.usd)} and ${formatCount(committed.tokens, 'token')} spent or set aside`,
          ],
        ] satisfies Line[])
      : []),
  ];
}

function tokens({ inputTokens, outputTokens, cachedTokens }: RunReport['counts']['usage']): string {
  return (
    `${inputTokens.toLocaleString('en')} tokens ` +
    `in${cachedTokens > 0 ? ` (${cachedTokens.toLocaleString('en')} cached)` : ''}, ${outputTokens.toLocaleString('en')} ` +
    'out'
  );
}

function planRows(plan: PlanInWords | null): Line[] {
  if (!plan) return [];
  const { models, limits, budget, policy, attempts } = plan;
  const bounds = Object.entries(limits).map(
    ([model, { concurrency, requestsPerMinute, tokensPerMinute }]) =>
      `${model} ${[concurrency !== undefined && `${concurrency} at once`, requestsPerMinute !== undefined && `${requestsPerMinute} requests/min`, tokensPerMinute !== undefined && `${tokensPerMinute} tokens/min`].filter(Boolean).join(', ')}`,
  );
  const sums = [
    budget.runUsd !== undefined && `${formatMoney(budget.runUsd)} in all`,
    budget.runTokens !== undefined && `${formatCount(budget.runTokens, 'token')} in all`,
    budget.itemUsd !== undefined && `${formatMoney(budget.itemUsd)} an item`,
    budget.itemTokens !== undefined && `${formatCount(budget.itemTokens, 'token')} an item`,
  ].filter(Boolean);
  return [
    [
      'models',
      Object.entries(models)
        .map(([seat, model]) => (seat === 'default' ? model : `${seat} ${model}`))
        .join(', ') || 'none',
    ],
    ...(policy === null ? [] : ([['policy', policy]] satisfies Line[])),
    ['limits', bounds.join('; ') || 'none of its own'],
    ['budget', sums.join(', ') || 'none'],
    ...(attempts === null ? [] : ([['attempts', `${attempts} before an item is set aside`]] satisfies Line[])),
    ['cascade', plan.cascade ? cascadeWords(plan.cascade) : 'none: every item is debated'],
  ];
}

function cascadeWords({ safeUpTo, unsafeFrom, risk, confidence }: NonNullable<PlanInWords['cascade']>): string {
  const bounds = [
    safeUpTo !== null && `safe up to ${safeUpTo.toFixed(3)}`,
    unsafeFrom !== null && `unsafe from ${unsafeFrom.toFixed(3)}`,
  ].filter(Boolean);
  return (
    `${bounds.join(', ') || 'the guard decides nothing'}; at most ${formatPercent(risk)} of what it decides wrong, ` +
    `with ${formatPercent(confidence)} confidence`
  );
}

function cascadeRows({ decided, debated, shareDecided, bound, risk, saved }: CascadeReport): Line[] {
  const achieved = risk
    ? `${risk.wrong.toLocaleString('en')} of ${formatCount(risk.items, 'labelled item')} wrong: ${formatPercent(risk.share)}, ` +
      `95 % interval ${formatPercent(risk.interval[0])} to ${formatPercent(risk.interval[1])}${bound ? ` (asked: at most ${formatPercent(bound.risk)})` : ''}`
    : 'no decided item came with a label';
  return [
    [
      'decided',
      `${decided.toLocaleString('en')} by the guard (${formatPercent(shareDecided)}), ${debated.toLocaleString('en')} ` +
        'debated',
    ],
    ['risk', achieved],
    [
      'saved',
      saved
        ? `about ${formatCount(saved.calls, 'call')}${saved.costUsd === null ? '' : ` and ${formatMoney(saved.costUsd)}`}, at ` +
          'the mean of those debated'
        : 'unknown: none was debated',
    ],
  ];
}

function qualityRows({ items, accuracy, precision, recall, f1, confusion }: Quality): Line[] {
  return [
    [
      'quality',
      `accuracy ${formatShare(accuracy)}, precision ${formatShare(precision)}, recall ${formatShare(recall)}, F1 ${formatShare(f1)} on ${formatCount(items, 'labelled item')}`,
    ],
    ['truth', formatCounts(confusion)],
  ];
}

function failureLines(failures: readonly FailureKind[]): string[] {
  return failures.flatMap(({ code, items, examples }) => [
    style('yellow', `${formatCount(items, 'item')} failed with ${sanitize(code)}`),
    ...examples.flatMap(({ line, key, error }) =>
      formatRow(`  line ${line}  `, sanitize(toOneLine(`${key}: ${error.message}`))),
    ),
  ]);
}

function nextLines({ id, state, failures, counts }: RunReport): string[] {
  const lines = [
    ...(state === 'finished' || state === 'running' ? [] : [`Go on with it: agon runs resume ${id}`]),
    // Whoever is killed leaves no word.
    ...(state === 'running' && counts.endedLastMinute === 0
      ? [`No item has ended in the last minute. Where nobody works on it any more: agon runs resume ${id}`]
      : []),
    ...(failures.some(({ items, examples }) => items > examples.length)
      ? [`All that failed: agon runs export ${id} --only failed`]
      : []),
    ...(failures.some(({ code }) => code !== 'broken-line')
      ? [`Try the failed ones again: agon runs retry-failed ${id}`]
      : []),
  ];
  return lines.map((line) => style('dim', line));
}
