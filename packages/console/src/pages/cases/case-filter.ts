import { nameAction } from '@agonhq/engine/view';
import { type AskedCases, caseFilterParts, modalities } from '@agonhq/ledger/cases/case-filter';
import { findLabelLook } from '../../components/badge.tsx';
import { findConsoleJob, readJobId } from '../../jobs/index.ts';
import { localMidnight, readDay } from '../../routing/local-days.ts';
import { pickOne, type RawSearch } from '../../routing/search.ts';

/* Which cases are listed, as the address says it: anybody may have written it. */

const modalityNames = {
  text: 'Text',
  image: 'Image',
  'text+image': 'Text and image',
  audio: 'Sound',
  video: 'Film',
  documents: 'Documents',
} as const;
export const modalityOptions = modalities.map((modality) => [modality, modalityNames[modality]] as const);

/** Those that have no label: which are being judged, and which nobody works on any more. */
const unlabelled: Record<string, { title: string; state: 'judging' | 'interrupted' }> = {
  open: { title: 'Being judged', state: 'judging' },
  interrupted: { title: 'Interrupted', state: 'interrupted' },
};

export const openLabels = Object.keys(unlabelled);

export function formatLabel(label: string): string {
  return (Object.hasOwn(unlabelled, label) ? unlabelled[label]! : findLabelLook(label)).title;
}

/** The ledger's, but whether and how far one is judged is a label here, and days are local. */
export interface ShownCaseFilter extends Omit<AskedCases, 'finished' | 'state' | 'since' | 'until'> {
  from?: string;
  to?: string;
}
export type FilterName = keyof ShownCaseFilter;

const { finished: _finished, state: _state, since: _since, until: _until, ...parts } = caseFilterParts;

/** How each is read from an address. */
const readers = Object.entries({
  ...Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [name, (given: string | undefined) => readPart(part, given)]),
  ),
  job: readJobId,
  from: readDay,
  to: readDay,
}) as [FilterName, (given: string | undefined) => unknown][];

/** How a choice is called whose name does not say it. Days are local. */
const words: { [Name in FilterName]?: (given: string) => string } = {
  search: (words) => `“${words}”`,
  job: (job) => findConsoleJob(job).title,
  label: formatLabel,
  modality: (given) => modalityOptions.find(([modality]) => modality === given)?.[1] ?? given,
  action: (action) => `Action ${nameAction(action).toLowerCase()}`,
  minDisagreement: (share) => `Disagreement ≥ ${share}`,
  escalated: (given) => (given === 'true' ? 'Escalated' : 'Not escalated'),
  degraded: (given) => (given === 'true' ? 'Degraded' : 'Not degraded'),
  decided: (given) => (given === 'true' ? 'Decided by a person' : 'Not decided by a person'),
  from: (day) => `From ${formatDate(day)}`,
  to: (day) => `Until ${formatDate(day)}`,
};

export function readFilter(raw: RawSearch): ShownCaseFilter {
  return Object.fromEntries(readers.map(([name, read]) => [name, read(raw[name])]));
}

/** The filters that are active, each in a few words. */
export function listChosen(filter: ShownCaseFilter): { name: FilterName; words: string }[] {
  return readers.flatMap(([name]) => {
    if (filter[name] === undefined) return [];
    const given = String(filter[name]);
    return [{ name, words: words[name]?.(given) ?? `${name[0]!.toUpperCase()}${name.slice(1)} ${given}` }];
  });
}

export const noFilters = Object.fromEntries(readers.map(([name]) => [name, undefined]));

/** What the server is asked: local days as moments, the last one whole. */
export function toQuery({ label, from, to, ...rest }: ShownCaseFilter) {
  return {
    ...rest,
    ...(label !== undefined && Object.hasOwn(unlabelled, label)
      ? { label: undefined, state: unlabelled[label]!.state }
      : { label }),
    since: from === undefined ? undefined : localMidnight(from)?.toISOString(),
    until: to === undefined ? undefined : localMidnight(to, 1)?.toISOString(),
  };
}

function readPart(part: (typeof parts)[keyof typeof parts], given: string | undefined) {
  switch (part.kind) {
    case 'text':
      return given?.trim().slice(0, part.most) || undefined;
    case 'choice':
      return pickOne<string>(part.of, given);
    case 'flag':
      return given === 'true' || given === 'false' ? given === 'true' : undefined;
    case 'share':
      return readShare(given);
  }
}

function readShare(given: string | undefined): number | undefined {
  const value = given === undefined || given.trim() === '' ? Number.NaN : Number(given);
  return value >= 0 && value <= 1 ? value : undefined;
}

function formatDate(day: string): string {
  return new Date(`${day}T00:00`).toLocaleDateString(undefined, { dateStyle: 'medium' });
}
