import type { MarkAgreementView } from '../api/index.ts';
import type { AnnotatorFinding, Marking, Rating } from '@agonhq/ledger';
import { agreementBetween, meanOf, rectangleOverlap, stretchF1 } from '@agonhq/engine/statistics';

type Item = ReadonlyMap<string, Rating>;

/** How far people agree on tags, on severity, and on what shows it. */
export function measureMarks(items: readonly Item[], { tags, severities }: Marking): MarkAgreementView {
  const found = items.map((item) => [...item.values()].flatMap(({ finding }) => finding ?? []));
  return {
    tags: tags.flatMap(({ id }) => {
      const given = found.flat().filter((finding) => finding.tags.includes(id)).length;
      if (given === 0) return [];
      const { percent, kappa, alpha } = agreementBetween(
        items.map((item) => rate(item, ({ tags: chosen }) => (chosen.includes(id) ? 'given' : 'not given'))),
      );
      return [{ tag: id, given, percent, kappa, alpha }];
    }),
    severity:
      severities.length === 0
        ? null
        : agreementBetween(items.map((item) => rate(item, ({ severity }) => severity ?? 'none'))),
    spans: measurePairs(found, (one, other) => stretchF1(listSpans(one), listSpans(other))),
    regions: measurePairs(found, (one, other) => rectangleOverlap(listRegions(one), listRegions(other))),
  };
}

function rate(item: Item, said: (finding: AnnotatorFinding) => string): Map<string, string> {
  return new Map([...item].flatMap(([by, { finding }]) => (finding ? [[by, said(finding)] as const] : [])));
}

function listSpans({ marks }: AnnotatorFinding) {
  return marks.flatMap((mark) => (mark.kind === 'span' ? [{ ...mark, key: `${mark.part} ${mark.tag}` }] : []));
}

function listRegions({ marks }: AnnotatorFinding) {
  return marks.flatMap((mark) => (mark.kind === 'region' ? [{ ...mark, key: `${mark.image} ${mark.tag}` }] : []));
}

/** Pairs of people neither of whom marked anything say nothing about marks. */
function measurePairs(
  items: readonly (readonly AnnotatorFinding[])[],
  measure: (one: AnnotatorFinding, other: AnnotatorFinding) => number | null,
): { items: number; mean: number | null } {
  const means = items.flatMap((people) => {
    const pairs = people.flatMap((one, index) =>
      people.slice(index + 1).flatMap((other) => {
        const overlap = measure(one, other);
        return overlap === null ? [] : [overlap];
      }),
    );
    return meanOf(pairs) ?? [];
  });
  return { items: means.length, mean: meanOf(means) };
}
