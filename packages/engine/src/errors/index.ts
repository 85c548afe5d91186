import { contentErrors } from './content.ts';
import { measuringErrors } from './measuring.ts';
import { modelErrors } from './models.ts';
import { recordErrors } from './records.ts';
import { requestErrors } from './requests.ts';
import { streamErrors } from './streams.ts';

/** What a code means; `status` is the HTTP status it is answered with, for codes that a request can lead to. */
export interface CatalogueEntry {
  status?: number;
  meaning: string;
}

/** Every code that Agon itself reports. To add one, add it to the file of its kind: nothing else compiles. */
export const errorCatalogue = {
  ...requestErrors,
  ...contentErrors,
  ...recordErrors,
  ...modelErrors,
  ...measuringErrors,
  ...streamErrors,
};

export type CatalogueCode = keyof typeof errorCatalogue;

const entries: Record<string, CatalogueEntry> = errorCatalogue;

/** What is not in the catalogue comes from a job outside of it, and is a mistake in what was given. */
export function findErrorStatus(code: string): number {
  return (Object.hasOwn(entries, code) ? entries[code]!.status : undefined) ?? 422;
}
