import { z } from 'zod';
import { AgonError } from '../errors.ts';
import { settingsSchema, type Settings } from './schema.ts';

/** Validates one layer of settings; a mistake is named by its key, where it was written, and the fix. */
export function readSettings(value: unknown, origin: string, nameOf: (path: string) => string = (path) => path): Settings {
  const parsed = settingsSchema.safeParse(value);
  if (parsed.success) return value as Settings;
  const [issue] = parsed.error.issues;
  const path = issue!.path.map(String).join('.');
  throw new AgonError('bad-settings', `${origin}: ${path ? `${nameOf(path)}: ` : ''}${reasonOf(issue!)}`, hintFor(issue!, path));
}

function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') return `there is no setting ${issue.keys.map((key) => JSON.stringify(key)).join(', ')}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
  return issue.message;
}

function hintFor(issue: z.core.$ZodIssue, path: string): string {
  if (issue.code === 'unrecognized_keys') return `Known here: ${knownKeys(path).join(', ')}.`;
  if (path.startsWith('seats')) return 'Seats take provider:model, for example openai:gpt-4o-mini or ollama:llama3.1.';
  return 'docs/configuration.md lists every setting with its values.';
}

function knownKeys(path: string): string[] {
  let schema: unknown = settingsSchema;
  for (const key of path.split('.').filter(Boolean)) schema = unwrapped((schema as z.ZodObject).shape?.[key]);
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : ['see docs/configuration.md'];
}

function unwrapped(schema: unknown): unknown {
  let inner = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault) inner = inner.unwrap();
  return inner;
}
