import { majorityOf } from '@agonhq/engine/statistics';
import type { ResultItem, BenchItemResult } from '../result.ts';
import type { LabelledData } from '../datasets/read-dataset.ts';
import type { SystemRun } from '../systems/run-system.ts';
import type { RawItem } from './raw-data.ts';
import type { JobBench } from '../job-bench.ts';
import { screenSummary, type ScreenSummary } from './screen-summary.ts';
import type { NamedScreen } from './write-screening.ts';

/** What `agon bench screen --json` prints. */
export interface ScreeningReport extends ScreenSummary {
  version: 1;
  /** The job's id. */
  job: string;
  data: { file: string; sha256: string };
  quorum: number;
  /** Lines that hold no item, which nobody judged. */
  broken: { line: number; problem: string }[];
}

/** From what systems said of raw data to the items that people should look at. */
export function screenDataset(
  bench: JobBench,
  data: LabelledData<RawItem>,
  runs: readonly Pick<SystemRun, 'system' | 'outcomes'>[],
  quorum: number,
): { report: ScreeningReport; screens: NamedScreen[] } {
  const classes = bench.listClasses(new Set());
  const ids = nameItems(data);
  const items = data.lines.flatMap((line, place) =>
    'item' in line ? [{ place, line: line.line, id: ids[place]!, gold: line.item.gold }] : [],
  );
  const names = runs.map(({ system }) => system.name);
  const systems = runs.map(({ system, outcomes }) => ({
    name: system.name,
    outcomes: items.map(({ place }) => {
      const { judged } = outcomes[place]!;
      return judged ? bench.readOutcome(judged, classes) : { said: 'failed', score: null };
    }),
  }));
  const screens = screenItems({ classes, items, systems }, { quorum }).map((screen, index): NamedScreen => ({
    ...screen,
    id: items[index]!.id,
    place: items[index]!.place,
  }));
  return {
    report: {
      version: 1,
      job: bench.job,
      data: { file: data.file, sha256: data.sha256 },
      quorum,
      ...screenSummary(screens, names, classes),
      broken: data.lines.flatMap((line) => ('error' in line ? [{ line: line.line, problem: line.error.message }] : [])),
    },
    screens,
  };
}

/** What votes call each item: its own id, numbered where it comes again; where it has none, its line. */
function nameItems({ lines }: LabelledData<RawItem>): string[] {
  const isNamed = (line: (typeof lines)[number]) => 'item' in line && line.item.id !== undefined;
  const used = new Set(lines.filter(isNamed).map(({ key }) => key));
  const free = (id: string): string => (used.has(id) ? free(`${id}+`) : id);
  return lines.map((line) => {
    const id = isNamed(line) ? line.key : free(`line-${line.line}`);
    used.add(id);
    return id;
  });
}

/** What several systems said of the same items: as much of a result as a screening needs. */
export interface ScreenedResult {
  /** A label that is none of them decides nothing: `undecided`, `failed`. */
  classes: readonly string[];
  items: readonly Pick<ResultItem, 'line' | 'id' | 'gold'>[];
  systems: readonly { name: string; outcomes: readonly Pick<BenchItemResult, 'said' | 'score'>[] }[];
}

/**
 * Why an item needs people: systems that say something else than its label, differ among themselves, are undecided,
 * or failed.
 */
export type ScreenReason =
  | { why: 'against-label' | 'undecided' | 'failed'; systems: string[] }
  | { why: 'disagreement' };

export interface ItemScreen {
  line: number;
  id: string | null;
  gold: string | null;
  /** None: nobody needs to look at it. */
  reasons: ScreenReason[];
  systems: Record<string, { label: string; score: number | null }>;
  /** What most of those who decided said; null for a tie, or where nobody did. */
  majority: string | null;
  /** The share of systems that do not say the label; of an item without one, that do not say what most say. */
  difficulty: number;
}

/**
 * The paper's difficulty screening: an item is flagged when at least `quorum` systems diverge from its label, from
 * each other (the smaller side counts), or say nothing. An item without a label is flagged by the systems alone.
 */
export function screenItems(
  { classes, items, systems }: ScreenedResult,
  { quorum = 1 }: { quorum?: number } = {},
): ItemScreen[] {
  return items.map((item, place) => {
    const said = systems.map(({ name, outcomes }) => ({ name, ...outcomes[place]! }));
    return { ...item, ...screenOf(said, item.gold, classes, quorum) };
  });
}

type Said = Pick<BenchItemResult, 'said' | 'score'> & { name: string };

function screenOf(
  said: readonly Said[],
  gold: string | null,
  classes: readonly string[],
  quorum: number,
): Omit<ItemScreen, 'line' | 'id' | 'gold'> {
  const decided = said.filter((one) => classes.includes(one.said));
  const { label: majority, votes } = majorityOf(decided.map((one) => one.said));
  const namesOf = (those: readonly Said[]) => those.map(({ name }) => name);
  const against = gold === null ? [] : decided.filter((one) => one.said !== gold);
  const failed = said.filter((one) => one.said === 'failed');
  const undecided = said.filter((one) => !classes.includes(one.said) && one.said !== 'failed');
  const enough = (count: number) => count >= quorum;
  return {
    reasons: [
      ...(enough(against.length) ? [{ why: 'against-label' as const, systems: namesOf(against) }] : []),
      ...(enough(decided.length - votes) ? [{ why: 'disagreement' as const }] : []),
      ...(enough(undecided.length) ? [{ why: 'undecided' as const, systems: namesOf(undecided) }] : []),
      ...(enough(failed.length) ? [{ why: 'failed' as const, systems: namesOf(failed) }] : []),
    ],
    systems: Object.fromEntries(said.map((one) => [one.name, { label: one.said, score: one.score }])),
    majority,
    difficulty:
      said.length === 0 ? 0 : (said.length - (gold === null ? votes : decided.length - against.length)) / said.length,
  };
}
