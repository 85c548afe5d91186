import { useMemo } from 'react';
import { ground } from '@agonhq/documents/grounding/ground-citation';
import { citeChecks, traceClaim } from '@agonhq/documents/trace';
import { listTouchedFindings } from '@agonhq/documents/view';
import type { ReadingPlace } from './reading-place.ts';
import type { Analysis, Citation, TraceSide } from './analysis-types.ts';
import { collectHighlights, type Highlight } from './viewer/highlights.ts';

/**
 * What is cited where the reader is: by the claim that is open, by the number checks, or by no one in particular:
 * then the claims’ own sentences.
 */
export function useCited(analysis: Analysis | null, { part, claim, finding }: ReadingPlace) {
  const trace = useMemo(() => {
    if (!analysis) return null;
    const index =
      part === 'findings' ? analysis.claims.findIndex(({ subject }) => subject.id === finding) : (claim ?? 0) - 1;
    return analysis.claims[index] ? traceClaim(analysis, index) : null;
  }, [analysis, part, claim, finding]);
  const { checks, cited } = useMemo(() => {
    const number = part === 'findings' ? /^number-(\d+)$/.exec(finding ?? '')?.[1] : undefined;
    if (!analysis || (part !== 'numbers' && number === undefined)) return { checks: [], cited: [] };
    const touched = listTouchedFindings(analysis);
    const [from, to] = number === undefined ? [0, mostShown] : [Number(number) - 1, Number(number)];
    return citeChecks(analysis, touched.slice(from, to));
  }, [analysis, part, finding]);
  const citations = checks.length > 0 ? cited : (trace?.citations ?? noCitations);
  const highlights = useMemo(
    () => (part === 'claims' && !trace && analysis ? markClaimSentences(analysis) : collectHighlights(citations)),
    [part, trace, analysis, citations],
  );
  return { citations, highlights, trace, checks, total: analysis?.numbers.length ?? 0 };
}

const mostShown = 200;
const noCitations: readonly Citation[] = [];

const labelSides: Record<string, TraceSide> = {
  'verified-strong': 'for',
  supported: 'for',
  contradicted: 'against',
  mixed: 'origin',
  unsupported: 'origin',
  undecided: 'origin',
};

function markClaimSentences(analysis: Analysis): Highlight[] {
  return analysis.claims.flatMap(({ subject, verdict }, index): Highlight[] => {
    const grounding = subject.origin && ground(subject.origin, analysis);
    return grounding
      ? [
          {
            id: String(index + 1),
            side: labelSides[verdict.label] ?? 'seen',
            grounding,
            title: `Claim ${index + 1}, ${verdict.label.replace('-', ' ')}`,
          },
        ]
      : [];
  });
}
