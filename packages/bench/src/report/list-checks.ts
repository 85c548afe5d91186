import type { CiCheck } from '@agonhq/core/ci-reports';
import type { MeasuredSet } from './block.ts';
import {
  checkThresholds,
  describeCheck,
  describeThreshold,
  type CheckedThreshold,
  type Threshold,
} from './thresholds.ts';
import { writePlural, shortenName } from './write-values.ts';

/**
 * What a build is told of a bench: every threshold, what nobody decided, and the items that the first system of each
 * set got wrong.
 */
export function listChecks(sets: readonly MeasuredSet[], thresholds: readonly Threshold[]): CiCheck[] {
  // Refuses what is about no set and no system at all.
  checkThresholds(sets, thresholds);
  return sets.flatMap((set) => {
    const checked = checkSet(set, thresholds);
    const ofSystems = set.result.systems.flatMap(({ name }, place) => [
      ...checked.filter(({ system }) => system === name).map((check) => toCheck(set, name, check)),
      checkDecided(set, place),
    ]);
    return [...ofSystems, ...listMistakes(set)];
  });
}

/** The checks that are about this set; those of other sets and of systems it does not have are left to them. */
function checkSet(set: MeasuredSet, thresholds: readonly Threshold[]): CheckedThreshold[] {
  const { data, systems } = set.result;
  const about = thresholds.filter(
    (threshold) =>
      (threshold.set === null || threshold.set === data.title || threshold.set === data.file) &&
      (threshold.system === null || threshold.system === '*' || systems.some(({ name }) => name === threshold.system)),
  );
  return checkThresholds([set], about);
}

function toCheck(set: MeasuredSet, system: string, check: CheckedThreshold): CiCheck {
  const name = describeThreshold(check.threshold);
  return {
    suite: nameSuite(set, system),
    name,
    outcome: check.passed ? 'passed' : 'failed',
    title: `${name} ${check.passed ? 'holds' : 'does not hold'}`,
    message: describeCheck(check),
    rule: { id: 'threshold', description: 'A figure of a bench that a threshold asks for' },
    place: { file: set.result.data.file, line: 1 },
  };
}

/** Not a failure by itself: `undecided=0` and `failed=0` make it one. */
function checkDecided(set: MeasuredSet, place: number): CiCheck {
  const { undecided, failed } = set.figures.systems[place]!.unsettled;
  const isOpen = undecided.length + failed.length > 0;
  return {
    suite: nameSuite(set, set.result.systems[place]!.name),
    name: 'every item was decided',
    outcome: isOpen ? 'undecided' : 'passed',
    title: isOpen ? 'Undecided items' : '',
    message: isOpen ? `${writePlural(undecided.length, 'item')} undecided, ${failed.length} failed` : '',
    rule: { id: 'undecided-items', description: 'Items of a bench that were not decided' },
    place: { file: set.result.data.file, line: 1 },
  };
}

/** The items whose label the first system did not say, in its first repeat. */
function listMistakes(set: MeasuredSet): CiCheck[] {
  const { items, systems, data, classes } = set.result;
  const [first] = systems;
  return items.flatMap(({ line, id, gold, excerpt }, index): CiCheck[] => {
    const outcome = first?.repeats[0]?.[index];
    if (!outcome || gold === null || outcome.said === gold || !classes.includes(outcome.said)) return [];
    return [
      {
        suite: nameSuite(set, first.name),
        name: id ?? `line ${line}`,
        outcome: 'noted',
        title: `${outcome.said}, labelled ${gold}`,
        message: excerpt,
        rule: {
          id: `mistake.${gold}-called-${outcome.said}`,
          description: `An item that is labelled ${gold} and was called ${outcome.said}`,
        },
        place: { file: data.file, line },
      },
    ];
  });
}

function nameSuite({ result }: MeasuredSet, system: string): string {
  return `${shortenName(result.data.title)} / ${shortenName(system)}`;
}
