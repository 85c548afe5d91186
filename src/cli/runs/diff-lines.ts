import type { Flip, RunDifference } from '../../runs/index.ts';
import { count, milliseconds, signed, chance, money, percent } from '../terminal/format.ts';
import { fitted, namedRow } from '../terminal/table.ts';
import { plain, styled } from '../terminal/style.ts';

/** Two runs side by side, then what flipped. */
export function diffLines(difference: RunDifference, flips: readonly Flip[]): string[] {
  const rows = rowsOf(difference);
  const width = Math.max(...rows.map(([name]) => name.length));
  const flipped = difference.compared - difference.same;
  return [
    styled('bold', plain(`${nameOf(difference.before)} → ${nameOf(difference.after)}`)),
    ...rows.flatMap(([name, words]) => namedRow(`  ${name.padEnd(width)}  `, plain(words))),
    ...fitted(flips.map(flipLine)),
    ...(flipped > flips.length
      ? [
          styled(
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
      `${count(compared, 'item')}: ${same.toLocaleString('en')} the same${compared > 0 ? `, ${(compared - same).toLocaleString('en')} flipped ` + `(${percent((compared - same) / compared)})` : ''}`,
    ],
    ['flips', flipWords],
    flipTest !== null && [
      'direction',
      `${flipTest.forth} ${flipTest.from} → ${flipTest.to} against ${flipTest.back} back: p = ${chance(flipTest.p)} ` +
        'by chance',
    ],
    labelled !== null && [
      'labelled',
      `${count(labelled.items, 'item')}: ${percent(labelled.rightBefore / labelled.items)} right before, ${percent(labelled.rightAfter / labelled.items)} ` +
        `after; ${labelled.putRight} put right, ${labelled.putWrong} put wrong: p = ${chance(labelled.p)} by chance ` +
        '(McNemar, exact)',
    ],
    scoreChange !== null && ['score', `${signed(scoreChange)} on average`],
    [
      'spend',
      `${money(before.usage.costUsd)} → ${money(after.usage.costUsd)}; ${before.usage.calls.toLocaleString('en')} ` +
        `→ ${count(after.usage.calls, 'call')}`,
    ],
    latencyMs.before !== null && [
      'latency',
      `${milliseconds(latencyMs.before)} → ${milliseconds(latencyMs.after)} ms an item`,
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
        ? ` ${styled('green', '(put right)')}`
        : before.label === expected
          ? ` ${styled('red', '(put wrong)')}`
          : ' (wrong both times)';
  const words = `${key}  ${before.label}${score(before.score)} → ${after.label}${score(after.score)}`;
  return `  ${plain(words)}${truth}  ${styled('cyan', `${plain(before.case)} ${plain(after.case)}`)}  ${plain((excerpt ?? '(forgotten)').replace(/\s+/g, ' ').slice(0, 120).toWellFormed())}`;
}
