import { company } from './company.ts';
import { proseOf } from './prose.ts';
import { random as seeded, type Random } from './random.ts';
import type { Report, ReportBlock } from './report.ts';
import { tablesOf } from './tables.ts';

/** A report whose tables and sentences all come from one set of books. */
export function compose(seed: number): { report: Report; random: Random } {
  const random = seeded(seed);
  const subject = company(random);
  const tables = tablesOf(subject, random);
  const { opening, review, closing } = proseOf(subject, new Set(tables.map(({ name }) => name)), random);
  const put = (name: string): ReportBlock[] =>
    tables.filter((table) => table.name === name).map(({ table }) => ({ kind: 'table', table }));
  const last = subject.periods.at(-1)!;
  const title = random.pick([
    `${subject.name}: ${subject.quarterly ? 'Quarterly report' : 'Annual report'} ${last}`,
    `${last} results of ${subject.name}`,
    `${subject.name} – management report ${last}`,
  ]);
  const blocks = random.pick([
    [
      ...opening,
      ...put('income'),
      ...review,
      ...put('segments'),
      ...put('quarters'),
      ...closing,
      ...put('indicators'),
      ...put('cash'),
    ],
    [
      ...opening,
      ...review,
      ...put('segments'),
      ...put('income'),
      ...put('cash'),
      ...closing,
      ...put('quarters'),
      ...put('indicators'),
    ],
    [
      ...put('income'),
      ...opening,
      ...put('indicators'),
      ...put('segments'),
      ...review,
      ...closing,
      ...put('cash'),
      ...put('quarters'),
    ],
  ]);
  return { report: { company: subject.name, title, blocks }, random };
}
