import { ground } from '@agonhq/documents/grounding/ground-citation';
import { type TouchedFinding, describePlace } from '@agonhq/documents/view';
import { EmptyState } from '../../../components/page.tsx';
import { citeCheck, type CitedCheck } from '../trace/cite-check.ts';
import type { Analysis, Citation } from '../trace/types.ts';
import { NumberCheck } from './number-check.tsx';

const mostShown = 200;

export interface ListedCheck {
  check: CitedCheck;
  claims: readonly number[];
}

/** Number checks with their places, and all of their citations in order. */
export function citeChecks(analysis: Analysis, touched: readonly TouchedFinding[]) {
  const cited: Citation[] = [];
  const checks = touched.slice(0, mostShown).map(({ finding, claims }): ListedCheck => ({
    claims,
    check: citeCheck(finding, (place) => {
      const grounding = ground(place, analysis);
      const citation: Citation = {
        index: cited.length,
        quote: grounding?.quote ?? '',
        grounding,
        struck: false,
        where: grounding ? describePlace(grounding, analysis.documents.length === 1) : '',
        side: finding.outcome === 'conflict' ? 'against' : 'number',
        by: 'a number check',
      };
      cited.push(citation);
      return citation;
    }),
  }));
  return { checks, cited };
}

export function NumbersList({
  checks,
  total,
  active,
  onGo,
  onClaim,
}: {
  checks: readonly ListedCheck[];
  total: number;
  active: number | null;
  onGo: (citation: Citation) => void;
  onClaim: (number: number) => void;
}) {
  if (checks.length === 0)
    return (
      <EmptyState title="No numbers could be checked">
        Numbers are compared where a dossier states the same thing twice: a total and its parts, a growth rate and its
        two values, a sentence and a table.
      </EmptyState>
    );
  return (
    <div className="grid gap-3">
      {checks.map(({ check, claims }, index) => (
        <NumberCheck key={index} check={check} active={active} onGo={onGo}>
          {claims.length > 0 && (
            <p className="flex flex-wrap gap-x-2 text-sm text-quiet">
              Affects{' '}
              {claims.map((number) => (
                <button key={number} type="button" className="text-link underline" onClick={() => onClaim(number)}>
                  claim {number}
                </button>
              ))}
            </p>
          )}
        </NumberCheck>
      ))}
      {total > checks.length && <p className="text-sm text-quiet">{total - checks.length} more are in the exports.</p>}
    </div>
  );
}
