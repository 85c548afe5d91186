import { findLabelLook } from '../../components/label-badge.tsx';
import { jobNames } from '../../job-names.ts';
import type { FilterName, CaseFilter } from './case-filter.ts';

/* What filters are called. */

export const modalityNames = {
  text: 'Text',
  image: 'Image',
  'text+image': 'Text and image',
  documents: 'Documents',
} as const;

/** Whom a label can be asked of; the claims of documents have labels of their own, their cases these. */
export const labelsOf = {
  moderation: ['safe', 'unsafe', 'undecided'],
  evaluation: ['safe', 'unsafe', 'undecided'],
  documents: ['positive', 'mixed', 'negative', 'undecided'],
} as const;
export const allLabels = ['safe', 'unsafe', 'undecided', 'positive', 'mixed', 'negative'] as const;

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
      return jobNames[filter.job!];
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
