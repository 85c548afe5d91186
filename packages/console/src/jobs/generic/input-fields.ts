import { nameSeat } from '@agonhq/engine/view';
import { readSource, type TrialSource } from '../../trial/trial-view.ts';
import type { RawSource } from '../console-job.ts';

/* What a job's input holds, as fields of a form. A schema may say anything: what is not known is asked in JSON. */

export type InputSchema = Readonly<Record<string, unknown>>;

export interface FormField {
  name: string;
  title: string;
  hint?: string;
  kind: 'text' | 'number' | 'flag' | 'choice' | 'json' | 'any';
  options: readonly string[];
  isRequired: boolean;
}

const anyInput: FormField = {
  name: 'input',
  title: 'Input',
  hint: 'A JSON object.',
  kind: 'any',
  options: [],
  isRequired: true,
};

export function listFormFields(schema: InputSchema | null): FormField[] {
  const properties = toObject(schema?.['properties']);
  if (!properties) return [anyInput];
  const required = Array.isArray(schema?.['required']) ? schema['required'] : [];
  return Object.entries(properties).map(([name, value]) => {
    const property = toObject(value) ?? {};
    const { title, description, enum: listed, type } = property;
    const options = Array.isArray(listed) ? listed.filter((option) => typeof option === 'string') : [];
    const kinds: Record<string, FormField['kind']> = {
      string: 'text',
      number: 'number',
      integer: 'number',
      boolean: 'flag',
    };
    return {
      name,
      title:
        typeof title === 'string' ? title : name.slice(0, 1).toUpperCase() + name.slice(1).replaceAll(/[-_]/g, ' '),
      ...(typeof description === 'string' ? { hint: description } : {}),
      kind: options.length > 0 ? 'choice' : (typeof type === 'string' && kinds[type]) || 'json',
      options,
      isRequired: required.includes(name) && !('default' in property),
    };
  });
}

/** A part of what was judged, called by its name. */
export function readNamedSource(source: RawSource): TrialSource {
  return { ...readSource(source), speaker: nameSeat(source.id) };
}

/** The input that a form holds, or what is missing or wrong in it. */
export function readInput(
  fields: readonly FormField[],
  texts: Readonly<Record<string, string>>,
): { input: Record<string, unknown> } | { problem: string } {
  const input: Record<string, unknown> = {};
  for (const { name, title, kind, isRequired } of fields) {
    const text = texts[name] ?? '';
    if (kind !== 'flag' && text.trim() === '') {
      if (isRequired) return { problem: `Enter ${title.toLowerCase()}.` };
      continue;
    }
    if (kind === 'any') {
      const given = toObject(parseJson(text));
      return given ? { input: { ...given } } : { problem: `${title} must be a JSON object.` };
    }
    const value = kind === 'json' ? parseJson(text) : kind === 'number' ? Number(text) : text;
    if (value === undefined) return { problem: `${title} must be JSON.` };
    input[name] = kind === 'flag' ? text === 'true' : value;
  }
  return { input };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function toObject(value: unknown): InputSchema | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as InputSchema) : null;
}
