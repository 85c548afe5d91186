import { useMemo } from 'react';
import { ground } from '../../../../src/jobs/documents/grounding/ground-citation.ts';
import { listFindings } from './claims/number-checks.tsx';
import type { ReadingPlace } from './reading-place.ts';
import { traceClaim } from './trace/trace-claim.ts';
import type { Analysis, Side } from './trace/types.ts';
import { collectHighlights, type Highlight } from './viewer/highlights.ts';

/**
 * What is cited where the reader is: by the claim that is open, by the number checks, or by no one in particular:
 * then the claims’ own sentences.
 */
export function useCited(analysis: Analysis | null, { part, claim }: ReadingPlace) {
  const trace = useMemo(
    () => (analysis && claim !== undefined && analysis.claims[claim - 1] ? traceClaim(analysis, claim - 1) : null),
    [analysis, claim],
  );
  const listed = useMemo(() => (analysis && part === 'numbers' ? listFindings(analysis) : []), [analysis, part]);
  const citations = useMemo(
    () => (part === 'numbers' ? listed.flatMap((finding) => finding.citations) : (trace?.citations ?? [])),
    [part, listed, trace],
  );
  const highlights = useMemo(
    () => (part === 'claims' && !trace && analysis ? markClaimSentences(analysis) : collectHighlights(citations)),
    [part, trace, analysis, citations],
  );
  return { citations, highlights, trace, findings: { shown: listed, total: analysis?.numbers.length ?? 0 } };
}

const labelSides: Record<string, Side> = {
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
