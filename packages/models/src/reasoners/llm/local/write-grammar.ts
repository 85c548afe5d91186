/** What is read of a JSON schema. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: SchemaOrAny[];
  oneOf?: SchemaOrAny[];
  properties?: Record<string, SchemaOrAny>;
  required?: string[];
  additionalProperties?: SchemaOrAny;
  propertyNames?: SchemaOrAny;
  items?: SchemaOrAny | SchemaOrAny[];
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
}

type SchemaOrAny = JsonSchema | boolean;

/*
 * A GBNF grammar in which every answer is in form and ends: strings and lists have limits, so that a model that
 * babbles still reaches the last brace.
 */

/** Entries of a list that a schema leaves open. */
const usualItems = 4;
/** Below this many characters a string says nothing: rather fewer entries. */
const fewCharacters = 40;
const mostCharacters = 1_000;

interface Limits {
  items: number;
  characters: number;
}

/**
 * The grammar of a schema's answers, of about so many characters; `width`: what each character of a text counts for.
 *
 * @example writeGrammar({ type: 'object', properties: { score: { type: 'number', minimum: 0, maximum: 1 } } }, 400)
 */
export function writeGrammar(schema: JsonSchema, characters: number, width = 1): string {
  const limits = shareOut(schema, characters, width);
  const rules = new Map<string, string>();
  const write = createWriter(schema, limits, rules);
  const root = write(schema, limits.characters * firstShares);
  return [`root ::= ${root}`, ...[...rules].map(([name, body]) => `${name} ::= ${body}`), ...characterRules].join('\n');
}

/** The first text, which is the statement, gets as much as so many others. */
const firstShares = 3;

const characterRules = [
  String.raw`start ::= [^"\\\x00-\x20\x7F] | "\\\""`,
  String.raw`char ::= [^"\\\x00-\x1F\x7F] | "\\" ["\\n]`,
  'digits ::= [1-9] [0-9]{0,5} | "0"',
];

/** The characters of a short answer that still says something. */
export function measureShortAnswer(schema: JsonSchema): number {
  const texts = countTexts(schema, schema, 1, 0) + firstShares - 1;
  return measureFrame(schema, schema, 1, 0) + (texts * fewCharacters) / 2;
}

/** How long texts and lists may be, so that all of them together fit. */
function shareOut(schema: JsonSchema, characters: number, width: number): Limits {
  for (let items = usualItems; ; items -= 1) {
    const texts = countTexts(schema, schema, items, 0) + firstShares - 1;
    const share = Math.floor((characters - measureFrame(schema, schema, items, 0)) / texts / width);
    if (share >= fewCharacters || items === 1) return { items, characters: Math.max(4, share) };
  }
}

type Writer = (schema: SchemaOrAny, first?: number) => string;

function createWriter(root: JsonSchema, limits: Limits, rules: Map<string, string>): Writer {
  const write: Writer = (given, first = limits.characters) => {
    if (typeof given === 'boolean') return writeText({}, first);
    if (given.$ref !== undefined) {
      const name = `ref${given.$ref.replaceAll(/[^A-Za-z0-9]/g, '-')}`;
      if (!rules.has(name)) {
        rules.set(name, ''); // One that refers to itself finds its name.
        rules.set(name, write(resolve(root, given.$ref), first));
      }
      return name;
    }
    if (given.const !== undefined) return literal(given.const);
    if (given.enum) return choose(given.enum.map(literal));
    const options = given.anyOf ?? given.oneOf;
    if (options) return choose(options.map((option) => write(option, first)));
    if (Array.isArray(given.type)) return choose(given.type.map((type) => write({ ...given, type }, first)));
    switch (given.type ?? 'string') {
      case 'object':
        return writeObject(given, first, write, limits);
      case 'array':
        return writeArray(given, write, limits);
      case 'number':
      case 'integer':
        return writeNumber(given);
      case 'boolean':
        return '("true" | "false")';
      case 'null':
        return '"null"';
      default:
        return writeText(given, first);
    }
  };
  return write;
}

function writeObject(schema: JsonSchema, first: number, write: Writer, limits: Limits): string {
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0 && typeof schema.additionalProperties === 'object') {
    const key = schema.propertyNames ? write(schema.propertyNames) : writeText({}, 24);
    const entry = `${key} ": " ${write(schema.additionalProperties)}`;
    return `"{" (${entry} (", " ${entry}){0,${limits.items - 1}})? "}"`;
  }
  let room = first;
  const written = properties.map(([name, value], index) => {
    const field = `${literal(name)} ": " ${write(value, room)}`;
    if (holdsText(value)) room = limits.characters; // Only the first text of an answer is its statement.
    const spaced = index === 0 ? field : `", " ${field}`;
    return index === 0 || schema.required?.includes(name) ? spaced : `(${spaced})?`;
  });
  return `"{" ${written.join(' ')} "}"`;
}

function holdsText(schema: SchemaOrAny): boolean {
  return typeof schema === 'object' && schema.type === 'string' && schema.enum === undefined;
}

function writeArray(schema: JsonSchema, write: Writer, limits: Limits): string {
  const items = Array.isArray(schema.items) ? schema.items[0] : schema.items;
  const entry = write(items ?? {});
  const { least, most } = boundItems(schema, limits.items);
  if (most === 0) return '"[]"';
  const list = `${entry} (", " ${entry}){${Math.max(0, least - 1)},${most - 1}}`;
  return least === 0 ? `("[]" | "[" ${list} "]")` : `"[" ${list} "]"`;
}

function boundItems({ minItems = 0, maxItems = Infinity }: JsonSchema, usual: number) {
  return { least: minItems, most: Math.max(minItems, Math.min(maxItems, usual)) };
}

/** Between two bounds as far as digits tell; what they do not tell is checked when the answer is read. */
function writeNumber({ type, minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  const least = minimum ?? exclusiveMinimum ?? -Infinity;
  const most = maximum ?? Infinity;
  if (type === 'integer' && most - least <= 200) {
    const from = minimum ?? least + 1;
    return choose(Array.from({ length: most - from + 1 }, (_, index) => literal(from + index)));
  }
  if (type === 'number' && least === 0 && most === 1)
    return exclusiveMinimum === 0 ? '("0." [1-9] [0-9]? | "1")' : '("0" ("." [0-9]{1,2})? | "1")';
  const sign = least < 0 ? '"-"? ' : '';
  return `(${sign}digits${type === 'integer' ? '' : ' ("." [0-9]{1,4})?'})`;
}

function writeText({ minLength = 0, maxLength = Infinity }: JsonSchema, room: number): string {
  const most = Math.max(minLength, 1, Math.min(maxLength, room, mostCharacters));
  const filled = `start char{${Math.max(0, minLength - 1)},${most - 1}}`;
  return minLength === 0 ? String.raw`"\"" (${filled})? "\""` : String.raw`"\"" ${filled} "\""`;
}

function literal(value: unknown): string {
  return JSON.stringify(JSON.stringify(value));
}

function choose(options: readonly string[]): string {
  return options.length === 1 ? options[0]! : `(${options.join(' | ')})`;
}

function resolve(root: JsonSchema, reference: string): JsonSchema {
  const found = reference
    .replace(/^#\/?/, '')
    .split('/')
    .filter(Boolean)
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], root);
  return found ?? {};
}

/** A schema that refers to itself is followed so far. */
const deepest = 8;

/** How many texts an answer may have. */
function countTexts(root: JsonSchema, given: SchemaOrAny, items: number, depth: number): number {
  return fold(root, given, items, depth, (schema) => (isText(schema) ? 1 : 0));
}

/** The characters of names, marks and values that are no texts. */
function measureFrame(root: JsonSchema, given: SchemaOrAny, items: number, depth: number): number {
  return fold(root, given, items, depth, (schema) => {
    const names = Object.keys(schema.properties ?? {}).reduce((sum, name) => sum + name.length + 6, 2);
    const values = (schema.enum ?? [schema.const ?? '']).map((value) => JSON.stringify(value).length);
    return names + Math.max(...values);
  });
}

function isText({ type, enum: values, const: value, anyOf, oneOf, $ref }: JsonSchema): boolean {
  if (values || value !== undefined || anyOf || oneOf || $ref) return false;
  return type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
}

/** Adds up over an answer at its largest: every entry of a list, the largest of several forms. */
function fold(
  root: JsonSchema,
  given: SchemaOrAny,
  items: number,
  depth: number,
  measure: (schema: JsonSchema) => number,
): number {
  if (typeof given === 'boolean' || depth > deepest) return 0;
  const inner = (schema: SchemaOrAny) => fold(root, schema, items, depth + 1, measure);
  if (given.$ref !== undefined) return inner(resolve(root, given.$ref));
  const options = given.anyOf ?? given.oneOf;
  if (options) return Math.max(...options.map(inner));
  const fields = Object.values(given.properties ?? {}).reduce((sum, field) => sum + inner(field), 0);
  const entry = Array.isArray(given.items) ? given.items[0] : given.items;
  const entries = entry === undefined ? 0 : boundItems(given, items).most * inner(entry);
  const others = typeof given.additionalProperties === 'object' ? items * (inner(given.additionalProperties) + 1) : 0;
  return measure(given) + fields + entries + others;
}
