import { X } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { findLabelLook } from '../../components/badge.tsx';
import { classes } from '../../components/tones.ts';
import { findJob } from '../../jobs/index.ts';
import { type CaseFilter, type FilterName, listChosen } from './case-filter.ts';
import type { ChangeFilter } from './filter-panel.tsx';

interface FilterChipsProps {
  filter: CaseFilter;
  change: ChangeFilter;
  clear: () => void;
}

/** The filters that are active, each with a way to take it away. */
export function FilterChips({ filter, change, clear }: FilterChipsProps) {
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
              className={classes(
                'inline-flex min-h-8 max-w-full items-center gap-1.5 rounded-full border border-implicit',
                'bg-implicit-ground px-3 text-sm font-medium text-implicit hover:border-ink',
              )}
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

export const modalityNames = {
  text: 'Text',
  image: 'Image',
  'text+image': 'Text and image',
  documents: 'Documents',
} as const;

export const formatLabel = (label: string) => (label === 'open' ? 'Being judged' : findLabelLook(label).title);

const choose = (value: string | undefined, is: string, isNot: string) => (value === 'true' ? is : isNot);
const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const dayName = (day: string) => dayFormat.format(new Date(`${day}T00:00`));

/** An active filter, in a few words. */
export function describeFilter(choice: FilterName, filter: CaseFilter): string {
  switch (choice) {
    case 'search':
      return `“${filter.search}”`;
    case 'job':
      return findJob(filter.job!).title;
    case 'label':
      return formatLabel(filter.label!);
    case 'category':
      return `Category ${filter.category}`;
    case 'modality':
      return modalityNames[filter.modality!];
    case 'minDisagreement':
      return `Disagreement ≥ ${filter.minDisagreement}`;
    case 'maxConfidence':
      return `Confidence ≤ ${filter.maxConfidence}`;
    case 'escalated':
      return choose(filter.escalated, 'Escalated', 'Not escalated');
    case 'degraded':
      return choose(filter.degraded, 'Degraded', 'Not degraded');
    case 'decided':
      return choose(filter.decided, 'Decided by a person', 'Not decided by a person');
    case 'model':
      return `Model ${filter.model}`;
    case 'run':
      return `Run ${filter.run}`;
    case 'from':
      return `From ${dayName(filter.from!)}`;
    case 'to':
      return `Until ${dayName(filter.to!)}`;
  }
}
