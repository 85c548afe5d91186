import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

export type SchemaJson = Record<string, unknown>;
export type SchemaDirection = 'input' | 'output';

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it, of the schemas that requests and answers are read by. */
export interface JsonSchemas {
  of(schema: z.ZodType, direction: SchemaDirection): SchemaJson;
  /** The named schemas that were met so far. */
  readonly components: SchemaJson;
}

export function jsonSchemas(): JsonSchemas {
  const components: SchemaJson = {};

  function keep(name: string, definition: SchemaJson): void {
    const { id: _, ...rest } = definition;
    const made = refsIn(rest) as SchemaJson;
    if (name in components && !isDeepStrictEqual(components[name], made))
      throw new Error(`The schema ${name} is one thing in requests and another in answers: give them two names.`);
    components[name] = made;
  }

  return {
    components,
    of(schema, direction) {
      const made = z.toJSONSchema(schema, {
        io: direction,
        unrepresentable: 'any',
        reused: 'inline',
        override: (at) => tidy(at.jsonSchema as SchemaJson, direction),
      }) as SchemaJson;
      const { $schema: _, $defs = {}, id: own, ...rest } = made;
      for (const [name, definition] of Object.entries($defs as Record<string, SchemaJson>)) keep(name, definition);
      if (typeof own !== 'string') return refsIn(rest) as SchemaJson;
      keep(own, rest);
      return { $ref: refTo(own) };
    },
  };
}

const refTo = (name: string) => `#/components/schemas/${name}`;

function tidy(schema: SchemaJson, direction: SchemaDirection): void {
  // Answers may grow: a client that reads them strictly would break when they do.
  if (direction === 'output') delete schema['additionalProperties'];
  // `format` says it, and shorter.
  if (schema['format'] === 'date-time') delete schema['pattern'];
  // The range of whole numbers in JavaScript says nothing about a figure.
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
}

/** References as they are within an OpenAPI document. */
function refsIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(refsIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string' ? refTo(member.replace('#/$defs/', '')) : refsIn(member),
    ]),
  );
}
