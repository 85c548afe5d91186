import type { Flip, RunDifference } from '../../runs/index.ts';
import {
  formatCount,
  formatMilliseconds,
  formatSigned,
  formatChance,
  formatMoney,
  formatPercent,
} from '../terminal/format.ts';
import { fitLines, formatRow } from '../terminal/table.ts';
import { sanitize, style } from '../terminal/style.ts';
import { toOneLine } from '../../text/index.ts';

/** Two runs side by side, then what flipped. */
export function renderDifference(difference: RunDifference, flips: readonly Flip[]): string[] {
  const rows = rowsOf(difference);
  const width = Math.max(...rows.map(([name]) => name.length));
  const flipped = difference.compared - difference.same;
  return [
    style('bold', sanitize(`${nameOf(difference.before)} → ${nameOf(difference.after)}`)),
    ...rows.flatMap(([name, words]) => formatRow(`  ${name.padEnd(width)}  `, sanitize(words))),
    ...fitLines(flips.map(flipLine)),
    ...(flipped > flips.length
      ? [
          style(
            'dim',
            `${(flipped - flips.length).toLocaleString('en')} more flips: --limit ${flipped}, or --json for all.`,
          ),
        ]
      : []),
  ];
}

function nameOf({ id, name }: RunDifference['before']): string {
  return name === null ? id : `${name} (${id})`;
}

function rowsOf({
  before,
  after,
  compared,
  same,
  flips,
  onlyBefore,
  onlyAfter,
  otherContent,
  failed,
  unfinished,
  scoreChange,
  latencyMs,
  flipTest,
  labelled,
}: RunDifference): [string, string][] {
  const flipWords =
    Object.entries(flips)
      .map(([pair, number]) => `${number.toLocaleString('en')} ${pair}`)
      .join(', ') || 'none';
  const apart: [number, string][] = [
    [onlyBefore, 'only in the first'],
    [onlyAfter, 'only in the second'],
    [otherContent, 'with the same key and another content'],
    [failed.before, 'failed in the first'],
    [failed.after, 'failed in the second'],
    [unfinished, 'not judged yet'],
  ];
  const notCompared = apart
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${number.toLocaleString('en')} ${words}`)
    .join(', ');
  const rows: ([string, string] | false)[] = [
    before.configuration === after.configuration && ['note', 'both runs have the same configuration'],
    [
      'compared',
      `${formatCount(compared, 'item')}: ${same.toLocaleString('en')} the same${compared > 0 ? `, ${(compared - same).toLocaleString('en')} flipped ` + `(${formatPercent((compared - same) / compared)})` : ''}`,
    ],
    ['flips', flipWords],
    flipTest !== null && [
      'direction',
      `${flipTest.forth} ${flipTest.from} → ${flipTest.to} against ${flipTest.back} back: p = ${formatChance(flipTest.p)} ` +
        'by chance',
    ],
    labelled !== null && [
      'labelled',
      `${formatCount(labelled.items, 'item')}: ${formatPercent(labelled.rightBefore / labelled.items)} right before, ${formatPercent(labelled.rightAfter / labelled.items)} ` +
        `after; ${labelled.putRight} put right, ${labelled.putWrong} put wrong: p = ${formatChance(labelled.p)} by chance ` +
        '(McNemar, exact)',
    ],
    scoreChange !== null && ['score', `${formatSigned(scoreChange)} on average`],
    [
      'spend',
      `${formatMoney(before.usage.costUsd)} → ${formatMoney(after.usage.costUsd)}; ${before.usage.calls.toLocaleString('en')} ` +
        `→ ${formatCount(after.usage.calls, 'call')}`,
    ],
    latencyMs.before !== null && [
      'latency',
      `${formatMilliseconds(latencyMs.before)} → ${formatMilliseconds(latencyMs.after)} ms an item`,
    ],
    notCompared !== '' && ['not compared', notCompared],
  ];
  return rows.filter((row) => row !== false);
}

function flipLine({ key, before, after, expected, excerpt }: Flip): string {
  const score = (value: number | null) => (value === null ? '' : ` ${value.toFixed(2)}`);
  const truth =
    expected === null
      ? ''
      : after.label === expected
        ? ` ${style('green', '(put right)')}`
        : before.label === expected
          ? ` ${style('red', '(put wrong)')}`
          : ' (wrong both times)';
  const words = `${key}  ${before.label}${score(before.score)} → ${after.label}${score(after.score)}`;
  return `  ${sanitize(words)}${truth}  ${style('cyan', `${sanitize(before.case)} ${sanitize(after.case)}`)}  ${sanitize(
    toOneLine(excerpt ?? '(forgotten)')
      .slice(0, 120)
      .toWellFormed(),
  )}`;
}
