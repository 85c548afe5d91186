import { z } from 'zod';

/** The kinds of personal data that are looked for, and what stands for each in a placeholder: `[mail-1]`. */
export const personalKinds = [
  'mail',
  'phone',
  'person',
  'handle',
  'account',
  'card',
  'id',
  'ip',
  'login',
  'token',
] as const;

export type PersonalKind = (typeof personalKinds)[number];

/** How many different values of each kind; kinds without any are left out. */
export const personalCountsSchema = z
  .partialRecord(z.enum(personalKinds), z.int().min(0))
  .meta({ id: 'PersonalCounts', description: 'By kind, how many different values of personal data.' });

export type PersonalCounts = z.infer<typeof personalCountsSchema>;

/** A stretch of a text that is personal data. */
export interface Found {
  kind: PersonalKind;
  start: number;
  end: number;
  /** Two ways to write the same value have the same one: `+4917112345`. */
  value: string;
}

/** A stretch by its text, with its value in plain form. */
export function foundAt(kind: PersonalKind, start: number, text: string, value = text.toLowerCase()): Found {
  return { kind, start, end: start + text.length, value };
}

export function keepDigits(text: string): string {
  return text.replaceAll(/\D/g, '');
}
