import { nameAction } from '@agonhq/engine/view';
import { findLabelLook } from '../../components/badge.tsx';
import { findConsoleJob, readJobId } from '../../jobs/index.ts';
import { localMidnight, readDay } from '../../routing/local-days.ts';
import { pickOne, type RawSearch } from '../../routing/search.ts';

/* Which cases are listed, as the address says it: anybody may have written it. */

const modalities = ['text', 'image', 'text+image', 'audio', 'video', 'documents'] as const;
const modalityNames = {
  text: 'Text',
  image: 'Image',
  'text+image': 'Text and image',
  audio: 'Sound',
  video: 'Film',
  documents: 'Documents',
} as const;
export const modalityOptions = modalities.map((modality) => [modality, modalityNames[modality]] as const);

export const severities = ['low', 'medium', 'high', 'critical'] as const;

/** Those that have no label: which are being judged, and which nobody works on any more. */
const unlabelled: Record<string, { title: string; state: 'judging' | 'interrupted' }> = {
  open: { title: 'Being judged', state: 'judging' },
  interrupted: { title: 'Interrupted', state: 'interrupted' },
};

export const openLabels = Object.keys(unlabelled);

export function formatLabel(label: string): string {
  return (Object.hasOwn(unlabelled, label) ? unlabelled[label]! : findLabelLook(label)).title;
}

/** What cases can be told apart by: how it is read from an address, and how a choice is called. Days are local. */
const filters = [
  ['search', readText(200), (words: string) => `“${words}”`],
  ['job', readJobId, (job: string) => findConsoleJob(job).title],
  ['label', readText(50), formatLabel],
  ['category', readText(100), (category: string) => `Category ${category}`],
  ['clause', readText(100), (clause: string) => `Clause ${clause}`],
  [
    'modality',
    (given: string | undefined) => pickOne(modalities, given),
    (given: string) => modalityOptions.find(([modality]) => modality === given)?.[1] ?? given,
  ],
  ['action', readText(100), (action: string) => `Action ${nameAction(action).toLowerCase()}`],
  ['severity', (given: string | undefined) => pickOne(severities, given), (severity: string) => `Severity ${severity}`],
  ['author', readText(256), (author: string) => `Author ${author}`],
  ['thread', readText(256), (thread: string) => `Thread ${thread}`],
  ['language', readText(35), (language: string) => `Language ${language}`],
  ['channel', readText(256), (channel: string) => `Channel ${channel}`],
  ['minDisagreement', readShare, (share: string) => `Disagreement ≥ ${share}`],
  ['escalated', readFlag, (given: string) => (given === 'true' ? 'Escalated' : 'Not escalated')],
  ['degraded', readFlag, (given: string) => (given === 'true' ? 'Degraded' : 'Not degraded')],
  ['decided', readFlag, (given: string) => (given === 'true' ? 'Decided by a person' : 'Not decided by a person')],
  ['model', readText(200), (model: string) => `Model ${model}`],
  ['run', readText(200), (run: string) => `Run ${run}`],
  ['from', readDay, (day: string) => `From ${formatDate(day)}`],
  ['to', readDay, (day: string) => `Until ${formatDate(day)}`],
] as const;

export type ShownCaseFilter = { [Filter in (typeof filters)[number] as Filter[0]]?: ReturnType<Filter[1]> };
export type FilterName = keyof ShownCaseFilter;

export function readFilter(raw: RawSearch): ShownCaseFilter {
  return Object.fromEntries(filters.map(([name, read]) => [name, read(raw[name])]));
}

/** The filters that are active, each in a few words. */
export function listChosen(filter: ShownCaseFilter): { name: FilterName; words: string }[] {
  return filters.flatMap(([name, , describe]) =>
    filter[name] === undefined ? [] : [{ name, words: describe(String(filter[name])) }],
  );
}

export const noFilters = Object.fromEntries(filters.map(([name]) => [name, undefined]));

/** What the server is asked: local days as moments, the last one whole. */
export function toQuery({ label, from, to, escalated, degraded, decided, ...rest }: ShownCaseFilter) {
  return {
    ...rest,
    ...(label !== undefined && Object.hasOwn(unlabelled, label)
      ? { label: undefined, state: unlabelled[label]!.state }
      : { label }),
    escalated: toFlag(escalated),
    degraded: toFlag(degraded),
    decided: toFlag(decided),
    since: from === undefined ? undefined : localMidnight(from)?.toISOString(),
    until: to === undefined ? undefined : localMidnight(to, 1)?.toISOString(),
  };
}

function readText(most: number): (given: string | undefined) => string | undefined {
  return (given) => given?.trim().slice(0, most) || undefined;
}

function readShare(given: string | undefined): number | undefined {
  const value = given === undefined || given.trim() === '' ? Number.NaN : Number(given);
  return value >= 0 && value <= 1 ? value : undefined;
}

function readFlag(given: string | undefined): 'true' | 'false' | undefined {
  return pickOne(['true', 'false'], given);
}

function toFlag(given: 'true' | 'false' | undefined): boolean | undefined {
  return given === undefined ? undefined : given === 'true';
}

function formatDate(day: string): string {
  return new Date(`${day}T00:00`).toLocaleDateString(undefined, { dateStyle: 'medium' });
}
