import { X } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import type { ChangeFilter } from './filter-panel.tsx';
import { listChosen, type CaseFilter } from './case-filter.ts';
import { describeFilter } from './words.ts';

/** The filters that are active, each with a way to take it away. */
export function FilterChips({
  filter,
  change,
  clear,
}: {
  filter: CaseFilter;
  change: ChangeFilter;
  clear: () => void;
}) {
  const chosen = listChosen(filter);
  if (chosen.length === 0) return null;
  return (
    <ul aria-label="Active filters" className="flex flex-wrap items-center gap-2">
      {chosen.map((choice) => {
        const words = describeFilter(choice, filter);
        return (
          <li key={choice} className="min-w-0">
            <button
              type="button"
              aria-label={`Remove the filter ${words}`}
              onClick={() => change({ [choice]: undefined })}
              className="inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full border border-implicit bg-implicit-ground px-3 text-sm font-medium text-implicit hover:border-ink"
            >
              <span className="max-w-60 truncate">{words}</span> <X aria-hidden className="size-3.5 flex-none" />
            </button>
          </li>
        );
      })}
      <li>
        <Button variant="quiet" size="small" onClick={clear}>
          Clear all filters
        </Button>
      </li>
    </ul>
  );
}
