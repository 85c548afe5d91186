import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findRepeated } from './check-calls.ts';
import { invariants, type Invariant } from './check-record.ts';
import { blowKinds, type Missing } from './plan-blows.ts';
import type { Breach, FoundRun, TownRecord } from './record.ts';

/** What came of a time of chaos. */
export interface ChaosReport {
  version: 1;
  seed: number;
  minutes: number;
  /** Whole seconds of the start, the time of blows, the calm until everything had ended, and the last look. */
  seconds: { start: number; blows: number; calm: number; check: number };
  repeat: string;
  leftOut: Missing;
  blows: Record<string, { struck: number; missed: number }>;
  traffic: {
    acts: Record<string, number>;
    verdicts: number;
    runs: number;
    withBudget: number;
    budgetSpent: number;
    items: number;
    decisions: number;
    forgotten: number;
    calls: Record<string, number>;
    /** Good answers that were asked for again, of whoever was struck. */
    repeated: number;
    usd: number;
  };
  starts: Record<string, number>;
  memoryMegabytes: Record<string, number>;
  breaches: Breach[];
}

export function summarize(
  record: TownRecord,
  runs: Record<string, FoundRun>,
  rest: Pick<ChaosReport, 'seed' | 'minutes' | 'seconds' | 'leftOut' | 'starts' | 'breaches'> & {
    acts: Record<string, number>;
  },
): ChaosReport {
  const { acts, ...others } = rest;
  return {
    version: 1,
    ...others,
    repeat: `npm run chaos -- --minutes ${rest.minutes} --seed ${rest.seed}`,
    blows: Object.fromEntries(
      blowKinds.map((kind) => {
        const own = record.blows.filter((blow) => blow.kind === kind && blow.detail !== 'set right');
        const missed = own.filter((blow) => blow.missed !== null).length;
        return [kind, { struck: own.length - missed, missed }];
      }),
    ),
    traffic: {
      acts,
      verdicts: record.verdicts.length,
      runs: record.runs.length,
      withBudget: record.runs.filter(({ budgetUsd }) => budgetUsd !== null).length,
      budgetSpent: Object.values(runs).filter(({ problem }) => problem?.includes('budget-spent')).length,
      items: Object.values(runs).reduce((sum, { results }) => sum + results.filter((each) => each.case).length, 0),
      decisions: record.decisions.length,
      forgotten: record.verdicts.filter(({ forget }) => forget === 'acknowledged').length,
      calls: countBy(record.calls.map(({ outcome }) => outcome)),
      repeated: findRepeated(record.calls).length,
      usd: Number(record.calls.reduce((sum, { usd }) => sum + usd, 0).toFixed(2)),
    },
    memoryMegabytes: Object.fromEntries(
      Object.entries(record.memory).map(([name, bytes]) => [name, Math.round(bytes / 1e6)]),
    ),
  };
}

/** As JSON, and as Markdown for people; with every blow and every call, for whoever looks for a cause. */
export async function writeReport(folder: string, report: ChaosReport, record: TownRecord): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'chaos.json'), `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(path.join(folder, 'blows.json'), `${JSON.stringify(record.blows, null, 2)}\n`);
  await writeFile(path.join(folder, 'calls.json'), `${JSON.stringify(record.calls)}\n`);
  const file = path.join(folder, 'chaos.md');
  await writeFile(file, renderReport(report));
  return file;
}

export function renderReport(report: ChaosReport): string {
  const { seed, minutes, seconds, leftOut, blows, traffic, starts, memoryMegabytes, breaches } = report;
  const row = (...cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  const left = Object.entries(leftOut).map(([kind, why]) => `\`${kind}\` (${why})`);
  return [
    '# Chaos',
    '',
    `${minutes} minutes with seed ${seed}: ${breaches.length === 0 ? 'no invariant was broken' : `**${breaches.length} breaches**`}. ` +
      `Start ${seconds.start} s, blows ${seconds.blows} s, until all had ended ${seconds.calm} s, last look ${seconds.check} s.`,
    '',
    left.length === 0 ? 'Nothing was left out.' : `Left out here: ${left.join(', ')}.`,
    '',
    `Repeat: \`${report.repeat}\``,
    '',
    row('invariant', 'breaches'),
    '|---|---:|',
    ...(Object.keys(invariants) as Invariant[]).map((name) =>
      row(invariants[name], breaches.filter(({ invariant }) => invariant === name).length),
    ),
    '',
    row('blow', 'struck', 'missed'),
    '|---|---:|---:|',
    ...Object.entries(blows).map(([kind, { struck, missed }]) => row(kind, struck, missed)),
    '',
    row('traffic', 'count'),
    '|---|---:|',
    ...Object.entries(traffic.acts).map(([name, count]) => row(`acts: ${name}`, count)),
    row('verdicts acknowledged', traffic.verdicts),
    row(
      'runs acknowledged (with a budget; that was spent)',
      `${traffic.runs} (${traffic.withBudget}; ${traffic.budgetSpent})`,
    ),
    row('items of runs with a verdict', traffic.items),
    row('decisions acknowledged', traffic.decisions),
    row('cases forgotten', traffic.forgotten),
    ...Object.entries(traffic.calls).map(([outcome, count]) => row(`calls to the provider: ${outcome}`, count)),
    row('good answers that were asked for again', traffic.repeated),
    '',
    row('process', 'starts', 'most memory, MB'),
    '|---|---:|---:|',
    ...Object.entries(starts).map(([name, count]) => row(name, count, memoryMegabytes[name] ?? '')),
    '',
    ...(breaches.length === 0 ? [] : ['## What broke', '']),
    ...breaches.map(({ invariant, what }) => `- **${invariant}**: ${what.replaceAll('\n', '\n  ')}`),
    '',
  ].join('\n');
}

export function countBy(names: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, own]) => [name, own.length]));
}
