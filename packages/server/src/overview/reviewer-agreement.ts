import type { DecidedCase } from '@agonhq/ledger';
import { wilsonInterval } from '@agonhq/engine/statistics';
import type { Overview } from './build-overview.ts';

type Counted = Omit<Overview['byReviewer'][number]['machine'], 'interval'>;

/** How each person's decisions agree: with the machine, with others on the same case, and on quality samples. */
export function measureReviewers(
  cases: readonly (Pick<DecidedCase, 'verdict' | 'sampled'> & { decisions: DecidedCase['decisions'] })[],
): Overview['byReviewer'] {
  const people = new Map<string, { decisions: number } & Record<'machine' | 'others' | 'samples', Counted>>();
  for (const { verdict, sampled, decisions } of cases) {
    // Who changed their mind means the last.
    const said = new Map(decisions.map(({ by, label }) => [by, label]));
    for (const [by, label] of said) {
      const none = () => ({ of: 0, agreed: 0 });
      const person = people.get(by) ?? { decisions: 0, machine: none(), others: none(), samples: none() };
      people.set(by, person);
      person.decisions += 1;
      // With one that left it open nobody can agree.
      if (verdict !== 'undecided') count(person.machine, label === verdict);
      if (sampled) count(person.samples, label === verdict);
      for (const [other, theirs] of said) if (other !== by) count(person.others, label === theirs);
    }
  }
  const show = ({ of, agreed }: Counted) => ({ of, agreed, interval: readInterval(agreed, of) });
  return [...people]
    .map(([by, { decisions, machine, others, samples }]) => ({
      by,
      decisions,
      machine: show(machine),
      others: show(others),
      samples: show(samples),
    }))
    .toSorted((a, b) => b.decisions - a.decisions || (a.by < b.by ? -1 : 1));
}

function count(counted: Counted, agrees: boolean): void {
  counted.of += 1;
  if (agrees) counted.agreed += 1;
}

function readInterval(agreed: number, of: number): [number, number] | null {
  const interval = wilsonInterval(agreed, of);
  return interval && [interval[0], interval[1]];
}
