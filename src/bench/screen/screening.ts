import type { LabelledData } from '../datasets/data-file.ts';
import type { SystemRun } from '../systems/run-system.ts';
import type { RawItem, ScreenedJob } from './raw-data.ts';
import { screenItems } from './screen-items.ts';
import { screenSummary, type ScreenSummary } from './screen-summary.ts';
import type { NamedScreen } from './write-screening.ts';

const classes = ['safe', 'unsafe'];

/** What `agon bench screen --json` prints. */
export interface ScreeningReport extends ScreenSummary {
  version: 1;
  job: ScreenedJob;
  data: { file: string; sha256: string };
  quorum: number;
  /** Lines that hold no item, which nobody judged. */
  broken: { line: number; problem: string }[];
}

/** From what systems said of raw data to the items that people should look at. */
export function screeningOf(
  job: ScreenedJob,
  data: LabelledData<RawItem>,
  runs: readonly Pick<SystemRun<RawItem>, 'system' | 'outcomes'>[],
  quorum: number,
): { report: ScreeningReport; screens: NamedScreen[] } {
  const ids = idsOf(data);
  const items = data.lines.flatMap((line, place) =>
    'item' in line ? [{ place, line: line.line, id: ids[place]!, gold: line.item.gold }] : [],
  );
  const names = runs.map(({ system }) => system.name);
  const systems = runs.map(({ system, outcomes }) => ({
    name: system.name,
    outcomes: items.map(({ place }) => outcomes[place]!),
  }));
  const screens = screenItems({ classes, items, systems }, { quorum }).map((screen, index): NamedScreen => ({
    ...screen,
    id: items[index]!.id,
    place: items[index]!.place,
  }));
  return {
    report: {
      version: 1,
      job,
      data: { file: data.file, sha256: data.sha256 },
      quorum,
      ...screenSummary(screens, names, classes),
      broken: data.lines.flatMap((line) => ('error' in line ? [{ line: line.line, problem: line.error.message }] : [])),
    },
    screens,
  };
}

/** What votes call each item: its own id, numbered where it comes again; where it has none, its line. */
function idsOf({ lines }: LabelledData<RawItem>): string[] {
  const isNamed = (line: (typeof lines)[number]) => 'item' in line && line.item.id !== undefined;
  const used = new Set(lines.filter(isNamed).map(({ key }) => key));
  const free = (id: string): string => (used.has(id) ? free(`${id}+`) : id);
  return lines.map((line) => {
    const id = isNamed(line) ? line.key : free(`line-${line.line}`);
    used.add(id);
    return id;
  });
}
