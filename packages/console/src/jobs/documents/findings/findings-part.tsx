import { Download } from 'lucide-react';
import { findingFilters, isOfKind } from '@agonhq/documents/findings/arrange-findings';
import { dropLeftOut, type ListedFinding } from '@agonhq/documents/findings/list-findings';
import { findLabelLook } from '../../../components/badge.tsx';
import { buttonClass } from '../../../components/button.tsx';
import { SearchBox } from '../../../components/search-box.tsx';
import { writeSearch } from '../../../routing/search.ts';
import { Choice } from '../claims/claim-filter.tsx';
import type { ReadingPlace } from '../reading-place.ts';
import type { Analysis } from '../analysis-types.ts';
import { FindingsTable } from './findings-table.tsx';

const filterTitles: Record<string, string> = {
  conflict: 'Number conflicts',
  corrected: 'Corrected',
  edited: 'Edited',
  'left-out': 'Left out',
};

interface FindingsPartProps {
  id: string;
  analysis: Analysis;
  /** All of them. */
  findings: readonly ListedFinding[];
  /** Those that are asked for, in their order. */
  shown: readonly ListedFinding[];
  place: ReadingPlace;
  onChange: (change: { sort?: string | undefined; show?: string | undefined; search?: string | undefined }) => void;
  onOpen: (id: string) => void;
}

/** Every claim and every number conflict in a table that is sorted, searched, and exported as it stands. */
export function FindingsPart({ id, analysis, findings, shown, place, onChange, onOpen }: FindingsPartProps) {
  const { sort, show, search } = place;
  const kinds = findingFilters
    .map((kind) => ({ kind, count: findings.filter((finding) => isOfKind(finding, kind)).length }))
    .filter(({ kind, count }) => count > 0 || kind === show);
  const exported = dropLeftOut(shown).length;
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <SearchBox
          label="Search findings"
          placeholder="Search findings"
          value={search ?? ''}
          onChange={(words) => onChange({ search: words || undefined })}
        />
        <div role="group" aria-label="Findings to show" className="flex flex-wrap gap-1.5">
          <Choice
            chosen={show === undefined}
            onChoose={() => onChange({ show: undefined })}
            words="All"
            count={findings.length}
          />
          {kinds.map(({ kind, count }) => (
            <Choice
              key={kind}
              chosen={show === kind}
              onChoose={() => onChange({ show: show === kind ? undefined : kind })}
              words={filterTitles[kind] ?? findLabelLook(kind).title}
              count={count}
            />
          ))}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet">
        <p role="status">
          {shown.length} of {findings.length} shown
          {exported < shown.length && `, ${shown.length - exported} left out of exports`}
        </p>
        {exported > 0 && (
          <div role="group" aria-label="Export what is shown" className="flex flex-wrap items-center gap-1.5">
            <Download aria-hidden className="size-4" /> Export these:
            {(['xlsx', 'csv', 'pdf'] as const).map((format) => (
              <a
                key={format}
                href={`/api/cases/${encodeURIComponent(id)}/report${writeSearch({ format, sort, show, search })}`}
                download={`${id}.${format}`}
                className={buttonClass('secondary', 'small')}
              >
                {format.toUpperCase()}
              </a>
            ))}
          </div>
        )}
      </div>
      {shown.length === 0 ? (
        <p className="text-quiet">
          {findings.length === 0 ? 'Nothing was claimed, and no numbers are in conflict.' : 'No findings match.'}
        </p>
      ) : (
        <FindingsTable
          analysis={analysis}
          findings={shown}
          sort={sort}
          onSort={(by) => onChange({ sort: by })}
          onOpen={onOpen}
        />
      )}
    </div>
  );
}
