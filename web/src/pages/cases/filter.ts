import { oneOf, type RawSearch } from '../../routing/search.ts';

/* Which cases are listed, as the address says it: anybody may have written it. */

export const jobs = ['moderation', 'evaluation', 'documents'] as const;
export const modalities = ['text', 'image', 'text+image', 'documents'] as const;
const yesOrNo = ['true', 'false'] as const;

type YesOrNo = (typeof yesOrNo)[number];

/** What a person chose; days are local. */
export interface Chosen {
  search?: string | undefined;
  job?: (typeof jobs)[number] | undefined;
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

export type Choice = keyof Chosen;

const text = (given: string | undefined, most: number) => given?.trim().slice(0, most) || undefined;

function share(given: string | undefined): number | undefined {
  const value = given === undefined || given.trim() === '' ? Number.NaN : Number(given);
  return value >= 0 && value <= 1 ? value : undefined;
}

/** A day of the calendar, as <input type="date"> writes it. */
function day(given: string | undefined): string | undefined {
  return given !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(given) && localMidnight(given) !== undefined
    ? given
    : undefined;
}

export function readFilter(raw: RawSearch): Chosen {
  return {
    search: text(raw['search'], 200),
    job: oneOf(jobs, raw['job']),
    label: text(raw['label'], 50),
    category: text(raw['category'], 100),
    modality: oneOf(modalities, raw['modality']),
    minDisagreement: share(raw['minDisagreement']),
    maxConfidence: share(raw['maxConfidence']),
    escalated: oneOf(yesOrNo, raw['escalated']),
    degraded: oneOf(yesOrNo, raw['degraded']),
    decided: oneOf(yesOrNo, raw['decided']),
    model: text(raw['model'], 200),
    run: text(raw['run'], 200),
    from: day(raw['from']),
    to: day(raw['to']),
  };
}

export const choices: readonly Choice[] = [
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

export function chosenOf(filter: Chosen): Choice[] {
  return choices.filter((choice) => filter[choice] !== undefined);
}

function localMidnight(date: string, daysLater = 0): Date | undefined {
  const [year, month, dayOfMonth] = date.split('-').map(Number) as [number, number, number];
  const midnight = new Date(year, month - 1, dayOfMonth + daysLater);
  const exists = new Date(year, month - 1, dayOfMonth).getMonth() === month - 1;
  return exists ? midnight : undefined;
}

/** What the server is asked: local days as moments, the last one whole. */
export function queryOf({ label, from, to, escalated, degraded, decided, ...rest }: Chosen) {
  const asked = {
    ...rest,
    label: label === 'open' ? undefined : label,
    finished: label === 'open' ? false : undefined,
    escalated: flag(escalated),
    degraded: flag(degraded),
    decided: flag(decided),
    since: from === undefined ? undefined : localMidnight(from)?.toISOString(),
    until: to === undefined ? undefined : localMidnight(to, 1)?.toISOString(),
  };
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as {
    [Name in keyof typeof asked]?: Exclude<(typeof asked)[Name], undefined>;
  };
}

function flag(given: YesOrNo | undefined): boolean | undefined {
  return given === undefined ? undefined : given === 'true';
}
