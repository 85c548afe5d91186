import type { Crossfit, CrossfitSet } from '../../plan/crossfit.ts';
import { cell, tableHead, type BenchBlock, type BlockCell } from '../block.ts';

/** A set of a model's cross-fitted figures, with what is said of all of them. */
interface Reported extends CrossfitSet {
  model: string;
  source: string;
}

/** Cross-fitted figures of every set, a table for each job, under a heading that says how items were held out. */
export function crossfitBlocks(
  crossfits: readonly Crossfit[],
  jobs: readonly { id: string; title: string }[],
): BenchBlock[] {
  const all = listSets(crossfits);
  return jobs.flatMap(({ id, title }) => {
    const own = all.filter(({ job }) => job === id);
    return own.length === 0
      ? []
      : [{ ...crossfitTable(own), title: `${title}, cross-fitted: ${describeHolding(own)}` }];
  });
}

/** The same for one set. */
export function setCrossfitBlock(
  crossfits: readonly Crossfit[],
  { job, title }: { job: string; title: string },
): BenchBlock | null {
  const own = listSets(crossfits).filter((one) => one.job === job && one.set === title);
  return own.length === 0 ? null : { ...crossfitTable(own), title: `Cross-fitted: ${describeHolding(own)}` };
}

function listSets(crossfits: readonly Crossfit[]): Reported[] {
  return crossfits.flatMap(({ model, source, sets }) => sets.map((set) => ({ ...set, model, source })));
}

function crossfitTable(sets: readonly Reported[]): Omit<BenchBlock, 'title'> {
  const models = [...new Set(sets.map(({ model }) => model))].join(' and ');
  return {
    lead:
      `In percent, with the 95 % interval where it is known. The recipe of ${models}, trained again without the ` +
      'items that are measured: of a fold, each item is judged by a model that saw the other folds of its set; of a ' +
      'whole source, by one that saw nothing of it. The shipped weights were trained on these sets and are not ' +
      'measured on them.',
    table: {
      head: tableHead('Set | Held out | System', 'Items | F1 | Accuracy | False alarms'),
      rows: sets.flatMap(({ set, heldOut, items, systems }) =>
        systems.map(({ system, f1, accuracy, falseAlarms }): BlockCell[] => [
          cell.title(set),
          cell.text(heldOut.by === 'folds' ? `${heldOut.folds} folds` : 'whole source'),
          cell.name(system),
          cell.number(String(items)),
          ...[f1, accuracy, falseAlarms].map((estimate) => (estimate ? cell.estimate(estimate) : cell.number('–'))),
        ]),
      ),
    },
    notes: [...new Set(sets.map(({ model, source }) => `${model}: ${source}.`))],
  };
}

function describeHolding(sets: readonly Pick<CrossfitSet, 'heldOut'>[]): string {
  const ways = new Set(sets.map(({ heldOut }) => heldOut.by));
  const named = [...(ways.has('folds') ? ['folds'] : []), ...(ways.has('source') ? ['whole sources'] : [])];
  return `${named.join(' and ')} held out`;
}
