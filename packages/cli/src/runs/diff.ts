import type { Command } from 'commander';
import type { Flip, RunDifference } from '@agonhq/core/runs';
import { toOneLine } from '@agonhq/engine/text';
import { addExamples, setLedgerAction, addLedgerFlags, positive, runArgument } from '../define-command.ts';
import type { LedgerFlags, OpenLedger } from '../open-ledger.ts';
import { listenForInterrupt } from '../process.ts';
import {
  formatChance,
  printCount,
  formatCounts,
  formatInteger,
  formatMilliseconds,
  formatMoney,
  printPercent,
  formatSigned,
} from '../terminal/format.ts';
import { printLines, sanitize, style } from '../terminal/style.ts';
import { fitLines, formatFacts, type PrintedFact } from '../terminal/table.ts';

interface DiffFlags extends LedgerFlags {
  limit: number;
  json?: boolean;
}

/** `agon runs diff BEFORE AFTER` */
export function defineRunsDiff(command: Command): void {
  command
    .description(
      'Compare two runs item by item: by key, or by content where keys differ. Shows which verdicts flipped, in ' +
        'which direction, and how likely that is by chance.',
    )
    .argument('<before>', runArgument)
    .argument('<after>', 'the other run')
    .option('--limit <n>', 'list at most n flips', positive, 20)
    .option('--json', 'print the figures and all flips as JSON');
  addLedgerFlags(command);
  addExamples(command, [
    'agon runs diff monday tuesday',
    'agon runs diff run-1f3a run-77c0 --json | jq ".flipped[].key"',
  ]);
  setLedgerAction(command, compareRuns);
}

async function compareRuns({ ledger }: OpenLedger, before: string, after: string, flags: DiffFlags): Promise<void> {
  const { diffRuns, requireRun } = await import('@agonhq/core/runs');
  const interrupt = listenForInterrupt();
  try {
    const runs = [await requireRun(ledger, before), await requireRun(ledger, after)] as const;
    const flips: Flip[] = [];
    const differing = diffRuns(ledger, ...runs, {
      limit: flags.json ? Infinity : flags.limit,
      signal: interrupt.signal,
    });
    let next = await differing.next();
    for (; !next.done; next = await differing.next()) flips.push(next.value);
    printLines(flags.json ? [JSON.stringify({ ...next.value, flipped: flips })] : renderDifference(next.value, flips));
    return;
  } finally {
    interrupt.dispose();
  }
}

function renderDifference(difference: RunDifference, flips: readonly Flip[]): string[] {
  const flipped = difference.compared - difference.same;
  return [
    style('bold', sanitize(`${nameRun(difference.before)} → ${nameRun(difference.after)}`)),
    ...formatFacts(listFacts(difference)),
    ...fitLines(flips.map(renderFlip)),
    ...(flipped > flips.length
      ? [
          style(
            'dim',
            `${formatInteger(flipped - flips.length)} more flips: use --limit ${flipped}, or --json for all.`,
          ),
        ]
      : []),
  ];
}

function nameRun({ id, name }: RunDifference['before']): string {
  return name === null ? id : `${name} (${id})`;
}

function listFacts(difference: RunDifference): PrintedFact[] {
  const { before, after, compared, same, failed, riskChange, latencyMs, flipTest, labelled } = difference;
  const apart: [number, string][] = [
    [difference.onlyBefore, 'only in the first'],
    [difference.onlyAfter, 'only in the second'],
    [difference.otherContent, 'with the same key but other content'],
    [failed.before, 'failed in the first'],
    [failed.after, 'failed in the second'],
    [difference.unfinished, 'not judged yet'],
  ];
  const notCompared = apart
    .filter(([number]) => number > 0)
    .map(([number, words]) => `${formatInteger(number)} ${words}`)
    .join(', ');
  const changed = compared - same;
  return [
    before.configuration === after.configuration && ['note', 'both runs have the same configuration'],
    [
      'compared',
      `${printCount(compared, 'item')}: ${formatInteger(same)} the same` +
        (compared > 0 ? `, ${formatInteger(changed)} flipped (${printPercent(changed / compared)})` : ''),
    ],
    ['flips', formatCounts(difference.flips) || 'none'],
    flipTest !== null && [
      'direction',
      `${flipTest.forth} ${flipTest.from} → ${flipTest.to}, ${flipTest.back} back: ${formatChance(flipTest.p)}`,
    ],
    labelled !== null && [
      'labelled',
      `${printCount(labelled.items, 'item')}: ${printPercent(labelled.rightBefore / labelled.items)} correct ` +
        `before, ${printPercent(labelled.rightAfter / labelled.items)} after; ${labelled.putRight} corrected, ` +
        `${labelled.putWrong} broken: ${formatChance(labelled.p)} (McNemar, exact)`,
    ],
    riskChange !== null && ['risk', `${formatSigned(riskChange)} on average`],
    [
      'spend',
      `${formatMoney(before.usage.costUsd)} → ${formatMoney(after.usage.costUsd)}; ` +
        `${formatInteger(before.usage.calls)} → ${printCount(after.usage.calls, 'call')}`,
    ],
    latencyMs.before !== null && [
      'latency',
      `${formatMilliseconds(latencyMs.before)} → ${formatMilliseconds(latencyMs.after)} ms per item`,
    ],
    notCompared !== '' && ['not compared', notCompared],
  ];
}

function renderFlip({ key, before, after, expected, excerpt }: Flip): string {
  const risk = (value: number | null) => (value === null ? '' : ` ${value.toFixed(2)}`);
  const truth =
    expected === null
      ? ''
      : after.label === expected
        ? ` ${style('green', '(corrected)')}`
        : before.label === expected
          ? ` ${style('red', '(broken)')}`
          : ' (wrong both times)';
  const words = `${key}  ${before.label}${risk(before.risk)} → ${after.label}${risk(after.risk)}`;
  const cases = style('cyan', `${sanitize(before.case)} ${sanitize(after.case)}`);
  const beginning = toOneLine(excerpt ?? '(forgotten)')
    .slice(0, 120)
    .toWellFormed();
  return `  ${sanitize(words)}${truth}  ${cases}  ${sanitize(beginning)}`;
}
