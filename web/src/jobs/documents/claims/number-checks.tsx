import { CircleCheck, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { ground } from '../../../../../src/jobs/documents/grounding/ground-citation.ts';
import {
  listTouchedFindings,
  type TouchedFinding,
  describePlace,
  nameCheck,
} from '../../../../../src/jobs/documents/view.ts';
import { Badge } from '../../../components/badge.tsx';
import { EmptyState } from '../../../components/page.tsx';
import type { Analysis, Citation, NumberFinding } from '../trace/types.ts';
import { CitationList } from './citation-button.tsx';

/** What a number tool computed, step by step, and where the numbers stand. */
export function NumberCheck({ finding, children }: { finding: NumberFinding; children: ReactNode }) {
  const conflict = finding.outcome === 'conflict';
  return (
    <div className="grid gap-1.5 rounded-lg border bg-surface p-3">
      <div className="flex flex-wrap items-center gap-2">
        {conflict ? (
          <Badge tone="risk">
            <CircleX aria-hidden className="size-4" /> Conflict
          </Badge>
        ) : (
          <Badge tone="exoneration">
            <CircleCheck aria-hidden className="size-4" /> Holds
          </Badge>
        )}
        <span className="text-sm text-quiet">{nameCheck(finding.check)}</span>
      </div>
      <p className="words">{finding.statement}</p>
      <p className="words rounded-md bg-paper px-3 py-1.5 font-mono text-sm">{finding.arithmetic}</p>
      {children}
    </div>
  );
}

const mostShown = 200;

interface ListedFinding extends TouchedFinding {
  citations: readonly Citation[];
}

/** Every number check of a dossier, conflicts first, each with its places. */
export function listFindings(analysis: Analysis): ListedFinding[] {
  let index = 0;
  return listTouchedFindings(analysis)
    .slice(0, mostShown)
    .map(({ finding, claims }) => ({
      finding,
      claims,
      citations: finding.places.map((place): Citation => {
        const grounding = ground(place, analysis);
        return {
          index: index++,
          quote: grounding?.quote ?? '',
          grounding,
          struck: false,
          where: grounding ? describePlace(grounding, analysis.documents.length === 1) : '',
          side: finding.outcome === 'conflict' ? 'against' : 'number',
          by: 'a number check',
        };
      }),
    }));
}

export function NumbersList({
  findings,
  total,
  active,
  onGo,
  onClaim,
}: {
  findings: readonly ListedFinding[];
  total: number;
  active: number | null;
  onGo: (citation: Citation) => void;
  onClaim: (number: number) => void;
}) {
  if (findings.length === 0)
    return (
      <EmptyState title="No numbers could be checked">
        Numbers are compared where a dossier states the same thing twice: a total and its parts, a growth rate and its
        two values, a sentence and a table.
      </EmptyState>
    );
  return (
    <div className="grid gap-3">
      {findings.map(({ finding, claims, citations }) => (
        <NumberCheck key={finding.id} finding={finding}>
          <CitationList citations={citations} active={active} onGo={onGo} />
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
      {total > findings.length && (
        <p className="text-sm text-quiet">{total - findings.length} more are in the exports.</p>
      )}
    </div>
  );
}
