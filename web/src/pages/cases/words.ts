import { labelLook } from '../../components/label-badge.tsx';
import { jobNames } from '../../job-names.ts';
import type { Choice, Chosen } from './filter.ts';

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

export const labelName = (label: string) => (label === 'open' ? 'Being judged' : labelLook(label).words);

const yes = (value: string | undefined, is: string, isNot: string) => (value === 'true' ? is : isNot);
const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const dayName = (day: string) => dayFormat.format(new Date(`${day}T00:00`));

/** An active filter, in a few words. */
export function chipWords(choice: Choice, filter: Chosen): string {
  switch (choice) {
    case 'search':
      return `“${filter.search}”`;
    case 'job':
      return jobNames[filter.job!];
    case 'label':
      return labelName(filter.label!);
    case 'category':
      return `Category ${filter.category}`;
    case 'modality':
      return modalityNames[filter.modality!];
    case 'minDisagreement':
      return `Disagreement ≥ ${filter.minDisagreement}`;
    case 'maxConfidence':
      return `Confidence ≤ ${filter.maxConfidence}`;
    case 'escalated':
      return yes(filter.escalated, 'Escalated', 'Not escalated');
    case 'degraded':
      return yes(filter.degraded, 'Degraded', 'Not degraded');
    case 'decided':
      return yes(filter.decided, 'Decided by a person', 'Not decided by a person');
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
