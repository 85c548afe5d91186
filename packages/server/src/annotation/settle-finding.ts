import type { AnnotationItem, AnnotatorFinding, FindingMark, RegionMark, SpanMark } from '@agonhq/ledger';
import { commonStretches, meanOf, rectangleOverlap } from '@agonhq/engine/statistics';

/** From so much overlap on, two rectangles are of the same thing. */
const sameRegion = 0.5;

/**
 * What an item came to beside its label: what was adjudicated, or what all said, with the marks that more than half of
 * them made. Null while it is open or disputed, and where nothing was asked.
 */
export function settleFinding({
  state,
  votes,
  adjudication,
}: Pick<AnnotationItem, 'state' | 'votes' | 'adjudication'>): AnnotatorFinding | null {
  if (state === 'adjudicated') return adjudication?.finding ?? null;
  if (state !== 'agreed' || !votes[0]?.finding) return null;
  const { tags, severity } = votes[0].finding;
  const marks = votes.map(({ finding }) => finding?.marks ?? []);
  return { tags, severity, marks: [...commonSpans(marks), ...commonRegions(marks)] };
}

function mostOf(people: readonly unknown[]): number {
  return Math.floor(people.length / 2) + 1;
}

/** The characters that more than half marked with the same tag. */
function commonSpans(people: readonly (readonly FindingMark[])[]): SpanMark[] {
  const spans = people.map((marks) => marks.filter((mark) => mark.kind === 'span'));
  const kinds = Map.groupBy(spans.flat(), ({ part, tag }) => JSON.stringify([part, tag]));
  return [...kinds.values()].flatMap((marked) => {
    const { part, tag } = marked[0]!;
    const same = spans.map((own) => own.filter((span) => span.part === part && span.tag === tag));
    return commonStretches(same, mostOf(people)).map((stretch) => ({ kind: 'span' as const, part, ...stretch, tag }));
  });
}

/** The rectangles that more than half drew around the same thing: their mean. */
function commonRegions(people: readonly (readonly FindingMark[])[]): RegionMark[] {
  let left = people.map((marks) => marks.filter((mark) => mark.kind === 'region'));
  const found: RegionMark[] = [];
  for (let seed = left.flat()[0]; seed; seed = left.flat()[0]) {
    const same = left.flatMap((own) => findClosest(own, seed) ?? []);
    const enough = same.length >= mostOf(people);
    if (enough) found.push(averageRegions(same));
    left = left.map((own) => own.filter((region) => region !== seed && !(enough && same.includes(region))));
  }
  return found;
}

function findClosest(own: readonly RegionMark[], { image, tag, ...place }: RegionMark): RegionMark | undefined {
  const overlapWith = (region: RegionMark) => rectangleOverlap([{ ...region, key: '' }], [{ ...place, key: '' }]) ?? 0;
  const [best] = own
    .filter((region) => region.image === image && region.tag === tag && overlapWith(region) >= sameRegion)
    .toSorted((one, other) => overlapWith(other) - overlapWith(one));
  return best;
}

function averageRegions(same: readonly RegionMark[]): RegionMark {
  const mean = (side: 'x' | 'y' | 'width' | 'height') => meanOf(same.map((region) => region[side]))!;
  return { ...same[0]!, x: mean('x'), y: mean('y'), width: mean('width'), height: mean('height') };
}
