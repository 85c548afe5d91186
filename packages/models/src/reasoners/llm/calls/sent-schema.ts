import type { JSONSchema7 } from 'ai';
import { z } from 'zod';

/** An answer's schema as it is sent. What it does not say is checked with zod when the answer arrives. */
export interface SentSchema {
  json: JSONSchema7;
  /** OpenAI's strict mode wants every property required and every object closed. */
  strict: boolean;
  text: string;
  /** With its limits, for a model whose answers a grammar keeps in form. */
  limited: JSONSchema7;
}

const known = new WeakMap<z.ZodType, SentSchema>();

export function makeSentSchema(schema: z.ZodType): SentSchema {
  let sent = known.get(schema);
  if (!sent) known.set(schema, (sent = convertSchema(schema)));
  return sent;
}

function convertSchema(schema: z.ZodType): SentSchema {
  let strict = true;
  const {
    $schema: _,
    '~standard': __,
    ...json
  } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema: node }) => {
      describeLimits(node);
      if (node.type !== 'object') return;
      if (typeof node.additionalProperties === 'object' || !node.properties) strict = false;
      else node.additionalProperties = false;
      if ((node.required?.length ?? 0) < Object.keys(node.properties ?? {}).length) strict = false;
    },
  }) as Record<string, unknown>;
  const limited = z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' }) as JSONSchema7;
  return { json: json as JSONSchema7, strict, text: JSON.stringify(json), limited };
}

/** Several providers reject these keywords; as words in the description they still guide the model. */
const limitKeywords = [
  'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength',
  'pattern', 'format', 'minItems', 'maxItems', 'uniqueItems', 'default', 'propertyNames',
] as const; // prettier-ignore

function describeLimits(node: z.core.JSONSchema.BaseSchema): void {
  const words = [
    describeRange(node.minimum ?? node.exclusiveMinimum, node.maximum ?? node.exclusiveMaximum, ''),
    describeRange(node.minLength, node.maxLength, ' characters'),
    describeRange(node.minItems, node.maxItems, ' items'),
  ].filter((word) => word !== '');
  for (const keyword of limitKeywords) delete node[keyword];
  if (words.length > 0) node.description = [node.description, ...words].filter(Boolean).join('; ');
}

function describeRange(least: unknown, most: unknown, unit: string): string {
  const from = typeof least === 'number' && least > Number.MIN_SAFE_INTEGER ? least : undefined;
  const to = typeof most === 'number' && most < Number.MAX_SAFE_INTEGER ? most : undefined;
  if (from !== undefined && to !== undefined) return `from ${from} to ${to}${unit}`;
  if (from !== undefined) return `at least ${from}${unit}`;
  return to === undefined ? '' : `at most ${to}${unit}`;
}
