import { findingFilters, findingSorts } from '@agonhq/documents/findings/arrange-findings';
import type { RawSearch } from '../../routing/search.ts';
import { pickOne } from '../../routing/search.ts';

export const parts = ['claims', 'findings', 'numbers', 'brief', 'about'] as const;
export const panes = ['document', 'claims'] as const;

/** Where somebody is in an analysis: it stands in the address, and can be passed on. */
export interface ReadingPlace {
  part: (typeof parts)[number];
  /** From 1. */
  claim: number | undefined;
  /** The number of a citation of the claim, or of the number checks, from 0. */
  cite: number | undefined;
  /** The number of a file, from 0. */
  file: number | undefined;
  label: string | undefined;
  below: number | undefined;
  /** The finding of the table that is open: `claim-02`, `number-3`. */
  finding: string | undefined;
  sort: (typeof findingSorts)[number] | undefined;
  show: (typeof findingFilters)[number] | undefined;
  search: string | undefined;
  /** Of a narrow screen. */
  pane: (typeof panes)[number];
}

export function readReadingPlace(raw: RawSearch): ReadingPlace {
  const number = (text: string | undefined) =>
    text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
  const below = Number(raw['below']);
  return {
    part: pickOne(parts, raw['part']) ?? 'claims',
    claim: number(raw['claim']) || undefined,
    cite: number(raw['cite']),
    file: number(raw['file']),
    label: raw['label'],
    below: raw['below'] !== undefined && below > 0 && below <= 1 ? below : undefined,
    finding: raw['finding'],
    sort: pickOne(findingSorts, raw['sort']),
    show: pickOne(findingFilters, raw['show']),
    search: raw['search']?.slice(0, 200),
    pane: pickOne(panes, raw['pane']) ?? 'claims',
  };
}
