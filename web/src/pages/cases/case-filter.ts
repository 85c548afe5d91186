import type { Job } from '../../api/types.ts';
import { readJobId } from '../../jobs/index.ts';
import { oneOf, type RawSearch } from '../../routing/search.ts';

/* Which cases are listed, as the address says it: anybody may have written it. */

export const modalities = ['text', 'image', 'text+image', 'documents'] as const;
const yesOrNo = ['true', 'false'] as const;

type YesOrNo = (typeof yesOrNo)[number];

/** What a person chose; days are local. */
export interface CaseFilter {
  search?: string | undefined;
  job?: Job | undefined;
  /** `open`: those that have none yet. */
  label?: string | undefined;
  category?: string | undefined;
  modality?: (typeof modalities)[number] | undefined;
  minDisagreement?: number | undefined;
  maxConfidence?: number | undefined;
  escalated?: YesOrNo | undefined;
  degraded?: YesOrNo | undefined;
  decided?: YesOrNo | undefined;
  model?: string | undefined;
  run?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

export type FilterName = keyof CaseFilter;

const readText = (given: string | undefined, most: number) => given?.trim().slice(0, most) || undefined;

function readShare(given: string | undefined): number | undefined {
  const value = given === undefined || given.trim() === '' ? Number.NaN : Number(given);
  return value >= 0 && value <= 1 ? value : undefined;
}

/** A day of the calendar, as <input type="date"> writes it. */
function readDay(given: string | undefined): string | undefined {
  return given !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(given) && localMidnight(given) !== undefined
    ? given
    : undefined;
}

export function readFilter(raw: RawSearch): CaseFilter {
  return {
    search: readText(raw['search'], 200),
    job: readJobId(raw['job']),
    label: readText(raw['label'], 50),
    category: readText(raw['category'], 100),
    modality: oneOf(modalities, raw['modality']),
    minDisagreement: readShare(raw['minDisagreement']),
    maxConfidence: readShare(raw['maxConfidence']),
    escalated: oneOf(yesOrNo, raw['escalated']),
    degraded: oneOf(yesOrNo, raw['degraded']),
    decided: oneOf(yesOrNo, raw['decided']),
    model: readText(raw['model'], 200),
    run: readText(raw['run'], 200),
    from: readDay(raw['from']),
    to: readDay(raw['to']),
  };
}

export const filterNames: readonly FilterName[] = [
  'search',
  'job',
  'label',
  'category',
  'modality',
  'minDisagreement',
  'maxConfidence',
  'escalated',
  'degraded',
  'decided',
  'model',
  'run',
  'from',
  'to',
];

export function listChosen(filter: CaseFilter): FilterName[] {
  return filterNames.filter((choice) => filter[choice] !== undefined);
}

function localMidnight(date: string, daysLater = 0): Date | undefined {
  const [year, month, dayOfMonth] = date.split('-').map(Number) as [number, number, number];
  const midnight = new Date(year, month - 1, dayOfMonth + daysLater);
  const exists = new Date(year, month - 1, dayOfMonth).getMonth() === month - 1;
  return exists ? midnight : undefined;
}

/** What the server is asked: local days as moments, the last one whole. */
export function toQuery({ label, from, to, escalated, degraded, decided, ...rest }: CaseFilter) {
  const asked = {
    ...rest,
    label: label === 'open' ? undefined : label,
    finished: label === 'open' ? false : undefined,
    escalated: toFlag(escalated),
    degraded: toFlag(degraded),
    decided: toFlag(decided),
    since: from === undefined ? undefined : localMidnight(from)?.toISOString(),
    until: to === undefined ? undefined : localMidnight(to, 1)?.toISOString(),
  };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as {
    [Name in keyof typeof asked]?: Exclude<(typeof asked)[Name], undefined>;
  };
}

function toFlag(given: YesOrNo | undefined): boolean | undefined {
  return given === undefined ? undefined : given === 'true';
}
