import type { Citation, NumberFinding, NumberPlace } from './types.ts';

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
