import type { Analysis } from '../analysis.ts';
import { ground } from '../grounding/ground-citation.ts';
import type { NumberFinding, NumberPlace } from '../numbers/finding.ts';
import { describePlace, type TouchedFinding } from '../view.ts';
import type { Citation } from './trace-claim.ts';

/** A number check with its places, and what each of its terms is bound to. */
export interface CitedCheck {
  finding: NumberFinding;
  citations: readonly Citation[];
  bindings: readonly { term: string; why: string; citation: Citation }[];
}

/** Cites the places of a check, each once: a term that is bound to one of them leads there. */
export function citeCheck(finding: NumberFinding, cite: (place: NumberPlace) => Citation): CitedCheck {
  const citations = finding.places.map(cite);
  const bindings = (finding.bindings ?? []).map(({ term, place, why }) => {
    const at = finding.places.findIndex(
      ({ block, start, end }) => block === place.block && start === place.start && end === place.end,
    );
    return { term, why, citation: citations[at] ?? cite(place) };
  });
  return { finding, citations, bindings };
}

/** Number checks with their places, and all of their citations in order. */
export function citeChecks<Touched extends TouchedFinding>(analysis: Analysis, touched: readonly Touched[]) {
  const cited: Citation[] = [];
  const alone = analysis.documents.length === 1;
  const checks = touched.map((one) => ({
    ...one,
    check: citeCheck(one.finding, (place) => {
      const grounding = ground(place, analysis);
      const citation: Citation = {
        index: cited.length,
        quote: grounding?.quote ?? '',
        grounding,
        struck: false,
        where: grounding ? describePlace(grounding, alone) : '',
        side: one.finding.outcome === 'conflict' ? 'against' : 'number',
        by: 'a number check',
        anchor: null,
      };
      cited.push(citation);
      return citation;
    }),
  }));
  return { checks, cited };
}
