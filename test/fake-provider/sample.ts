interface JsonSchema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
}

/** The plainest value of a JSON schema: what the fake provider says when it has no script. */
export function sampleOf(schema: unknown): unknown {
  const { type, enum: choices, const: constant, anyOf, properties } = schema as JsonSchema;
  if (constant !== undefined) return constant;
  if (choices) return choices[0];
  if (anyOf) return sampleOf(anyOf[0]);
  switch ([type].flat()[0] ?? 'string') {
    case 'object':
      return Object.fromEntries(Object.entries(properties ?? {}).map(([key, member]) => [key, sampleOf(member)]));
    case 'array':
      return [];
    case 'number':
      return 0.5;
    case 'integer':
      return 1;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return 'fake';
  }
}
