import type { BenchResult, ResultItem, SystemResult } from '../../result.ts';

/** What a page shows of single items, so that it stays of a size that opens at once. */
export interface ItemBudget {
  /** How many items are listed, over all sets. */
  items: number;
  /** How many of them come with the debate. */
  transcripts: number;
}

export const pageBudget: ItemBudget = { items: 1_000, transcripts: 400 };

export interface ChosenItems {
  /** Those that matter most first. */
  views: readonly ItemView[];
  /** Places of those that come with the debate. */
  withTranscript: ReadonlySet<number>;
  leftOut: { items: number; transcripts: number };
}

/** The items of each set that matter most: changed by the debate, wrong, undecided, disputed, then the others. */
export function chooseItems(results: readonly BenchResult[], budget: ItemBudget = pageBudget): ChosenItems[] {
  const ranked = results.map((result) => {
    const own = result.systems.indexOf(chosenSystem(result)!);
    const chosen = chosenSystem(result)?.repeats[0] ?? [];
    const views = itemViews(result)
      .map((view) => ({ view, weight: weightOf(view, own) }))
      .toSorted((a, b) => a.weight - b.weight || a.view.place - b.view.place)
      .map(({ view }) => view);
    return { views, spoken: views.filter(({ place }) => (chosen[place]?.turns.length ?? 0) > 0) };
  });
  const items = shares(
    budget.items,
    ranked.map(({ views }) => views.length),
  );
  const listed = ranked.map(({ views }, place) => new Set(views.slice(0, items[place])));
  const spoken = ranked.map((set, place) => set.spoken.filter((view) => listed[place]!.has(view)));
  const transcripts = shares(
    budget.transcripts,
    spoken.map((views) => views.length),
  );
  return ranked.map((set, place) => ({
    views: [...listed[place]!],
    withTranscript: new Set(spoken[place]!.slice(0, transcripts[place]).map((view) => view.place)),
    leftOut: {
      items: set.views.length - listed[place]!.size,
      transcripts: set.spoken.length - Math.min(transcripts[place]!, spoken[place]!.length),
    },
  }));
}

function weightOf({ changed, wrong, unsettled, split }: ItemView, own: number): number {
  if (changed) return 0;
  if (unsettled.includes(own)) return 2;
  if (wrong.includes(own)) return 1;
  return split ? 3 : 4;
}

/** So much for each, equally, and what one does not want for the others. */
export function shares(total: number, wants: readonly number[]): number[] {
  const given = wants.map(() => 0);
  let left = Math.min(
    total,
    wants.reduce((sum, want) => sum + want, 0),
  );
  for (let open = wants.filter((want) => want > 0).length; left > 0 && open > 0;) {
    const each = Math.max(1, Math.floor(left / open));
    open = 0;
    for (const [place, want] of wants.entries()) {
      const more = Math.min(each, want - given[place]!, left);
      const now = given[place]! + more;
      given[place] = now;
      left -= more;
      if (now < want) open++;
    }
  }
  return given;
}

/** One item with what a reader may look for it by. */
export interface ItemView {
  /** Its place in the result. */
  place: number;
  item: ResultItem;
  /** The systems that were wrong about it, that did not settle it: by their places. */
  wrong: readonly number[];
  unsettled: readonly number[];
  /** Whether systems contradict each other. */
  split: boolean;
  /** Whether the debate said something else than its opening vote. */
  changed: boolean;
}

/** Whose transcripts are shown: the first debate that has any. */
export function chosenSystem({ systems }: BenchResult): SystemResult | null {
  const speaks = (system: SystemResult) => system.repeats[0]?.some(({ turns }) => turns.length > 0) === true;
  return (
    systems.find((system) => system.kind === 'debate' && speaks(system)) ??
    systems.find(speaks) ??
    systems.find(({ kind }) => kind === 'debate') ??
    systems[0] ??
    null
  );
}

/** What the first repeat of every system says of each item. */
export function itemViews(result: BenchResult): ItemView[] {
  const chosen = chosenSystem(result)?.repeats[0] ?? [];
  return result.items.map((item, place) => {
    const said = result.systems.map(({ repeats }) => repeats[0]?.[place]?.said ?? 'failed');
    const among = (test: (label: string) => boolean) => said.flatMap((label, system) => (test(label) ? [system] : []));
    const isUnsettled = (label: string) => !result.classes.includes(label);
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
