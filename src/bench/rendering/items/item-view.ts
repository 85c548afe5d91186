import type { ScoreSheet, SheetItem, SystemSheet } from '../../sheet.ts';

/** One item with what a reader may look for it by. */
export interface ItemView {
  /** Its place in the sheet. */
  place: number;
  item: SheetItem;
  /** The systems that were wrong about it, that did not settle it: by their places. */
  wrong: readonly number[];
  unsettled: readonly number[];
  /** Whether systems contradict each other. */
  split: boolean;
  /** Whether the debate said something else than its opening vote. */
  changed: boolean;
}

/** Whose transcripts are shown: the first debate that has any. */
export function chosenSystem({ systems }: ScoreSheet): SystemSheet | null {
  const speaks = (system: SystemSheet) => system.repeats[0]?.some(({ turns }) => turns.length > 0) === true;
  return (
    systems.find((system) => system.kind === 'debate' && speaks(system)) ??
    systems.find(speaks) ??
    systems.find(({ kind }) => kind === 'debate') ??
    systems[0] ??
    null
  );
}

/** What the first repeat of every system says of each item. */
export function itemViews(sheet: ScoreSheet): ItemView[] {
  const chosen = chosenSystem(sheet)?.repeats[0] ?? [];
  return sheet.items.map((item, place) => {
    const said = sheet.systems.map(({ repeats }) => repeats[0]?.[place]?.said ?? 'failed');
    const among = (test: (label: string) => boolean) => said.flatMap((label, system) => (test(label) ? [system] : []));
    const isUnsettled = (label: string) => !sheet.classes.includes(label);
    const outcome = chosen[place];
    return {
      place,
      item,
      wrong: among((label) => label !== item.gold),
      unsettled: among(isUnsettled),
      split: new Set(said.filter((label) => !isUnsettled(label))).size > 1,
      changed: outcome !== undefined && outcome.opening !== null && outcome.opening.said !== outcome.said,
    };
  });
}
