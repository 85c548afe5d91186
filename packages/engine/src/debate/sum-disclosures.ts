import { z } from 'zod';
import type { PersonalCounts } from '../personal-data/index.ts';
import { disclosureSchema, type ModelCall } from './model-call.ts';

/** What one model of one provider got for a case, in all its requests. */
export const disclosedSchema = disclosureSchema
  .omit({ at: true })
  .extend({
    model: z.string(),
    requests: z.int().min(1),
    first: z.iso.datetime(),
    last: z.iso.datetime(),
  })
  .meta({
    id: 'Disclosed',
    description: 'What one model got for a case: of personal data, the different values of the request with the most.',
  });

export type Disclosed = z.infer<typeof disclosedSchema>;

/** Who got what for a case, in the order in which they were first asked. What came from the cache went nowhere. */
export function sumDisclosures(calls: readonly Pick<ModelCall, 'model' | 'disclosure'>[]): Disclosed[] {
  const rows = new Map<string, Disclosed>();
  for (const { model, disclosure } of calls) {
    if (!disclosure) continue;
    const { at, ...got } = disclosure;
    const key = `${got.host} ${model}`;
    const row = rows.get(key);
    rows.set(
      key,
      row
        ? {
            ...row,
            requests: row.requests + 1,
            first: at < row.first ? at : row.first,
            last: at > row.last ? at : row.last,
            bytes: row.bytes + got.bytes,
            // The same values go out with every turn: adding them up would count them again.
            masked: keepMost(row.masked, got.masked),
            unmasked: keepMost(row.unmasked, got.unmasked),
            images: row.images + got.images,
            withheldImages: row.withheldImages + got.withheldImages,
            recordings: row.recordings + got.recordings,
          }
        : { ...got, model, requests: 1, first: at, last: at },
    );
  }
  return [...rows.values()].toSorted((a, b) => a.first.localeCompare(b.first));
}

function keepMost(one: PersonalCounts, other: PersonalCounts): PersonalCounts {
  const most = { ...one };
  for (const [kind, count] of Object.entries(other) as [keyof PersonalCounts, number][])
    most[kind] = Math.max(most[kind] ?? 0, count);
  return most;
}
