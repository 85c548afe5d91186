import { sha256 } from '@agonhq/engine/hash';
import type { JobAnswer } from '@agonhq/judges/job';
import type { Ledger, UnrecordedOpening } from '@agonhq/ledger';
import { answerTo, openedCase, recordAnswer } from '@agonhq/test/support/ledger-cases.ts';

/* Many cases with whole answers, for benchmarks of a ledger that has been in use for a while. */

const atOnce = 16;
const of = <Item>(items: readonly Item[], index: number) => items[index % items.length]!;
const words = [
  'bread',
  'bridge',
  'kettle',
  'harbour',
  'ladder',
  'meadow',
  'orchard',
  'parcel',
  'quarry',
  'ribbon',
  'saddle',
  'tunnel',
];
const categories = ['weapons', 'hate', 'fraud', 'privacy', 'violence'];

/**
 * Puts so many cases into a ledger. One in a thousand tells of zymurgy. Without their trials they are there much
 * sooner.
 */
export async function fillLedger(
  ledger: Ledger,
  cases: number,
  { trials = true }: { trials?: boolean } = {},
): Promise<void> {
  let next = 0;
  const write = async () => {
    while (next < cases) {
      const { opened, answer } = makeCase(next++, trials);
      await ledger.cases.openCase(opened);
      await recordAnswer(ledger, answer);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, write));
}

/** The id of the case with this number. */
export function nameCase(index: number): string {
  return `mod-${sha256(String(index)).slice(7, 23)}`;
}

function makeCase(index: number, trials: boolean): { opened: UnrecordedOpening; answer: JobAnswer } {
  const id = nameCase(index);
  const text =
    `Case number ${index} of many, about a ${of(words, index * 7)} and a ` +
    `${of(words, index * 5 + 3)}${index % 1_000 === 0 ? ' and zymurgy' : ''}, with some words that a ` +
    'person may look for.';
  const label = index % 49 === 0 ? 'undecided' : index % 3 === 0 ? 'unsafe' : 'safe';
  const named = label === 'unsafe' ? [{ id: of(categories, index), clause: `${of(categories, index)}.first` }] : [];
  const answer = answerTo(
    id,
    {
      label,
      risk: (index % 100) / 100,
      bar: 0.5,
      escalate: label === 'undecided',
      categories: named,
      degraded: [],
    },
    trials ? {} : { transcript: [], sources: [], precedents: [] },
  );
  const models = Object.fromEntries(
    Object.keys(answer.provenance.models).map((seat) => [seat, `fake:model-${index % 10}`]),
  );
  return {
    opened: openedCase(id, { text, ...(index % 20 === 0 ? { run: 'run-1' } : {}) }),
    answer: { ...answer, provenance: { ...answer.provenance, models } },
  };
}
