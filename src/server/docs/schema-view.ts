import { html, type Markup, type Part } from '../../reports/index.ts';
import { nameIn, type Schema } from './open-api-types.ts';
import { words } from './words.ts';

/** Which members are marked: those that must be given, or those that may be missing. */
type Marks = 'required' | 'optional';

/** The members of an object as a table; those of objects within it stand below it, and named ones are linked. */
export function schemaView(schema: Schema, label: string, { marks = 'required' }: { marks?: Marks } = {}): Markup {
  const rows = rowsOf(schema, 0, marks);
  if (rows.length === 0)
    return html`<p class="type">${typeOf(schema)}${schema.description && html` — ${words(schema.description)}`}</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table class="members">
      <thead>
        <tr>
          <th scope="col">Member</th>
          <th scope="col">Type</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

const deepest = 4;

function rowsOf(schema: Schema, depth: number, marks: Marks): Markup[] {
  if (depth > deepest) return [];
  const members = Object.entries(schema.properties ?? {});
  if (members.length > 0)
    return members.flatMap(([name, member]) => [
      rowOf(name, member, depth, (schema.required?.includes(name) ?? false) === (marks === 'required') ? marks : null),
      ...rowsOf(withinOf(member), depth + 1, marks),
    ]);
  const { anyOf = [] } = schema;
  if (anyOf.some((one) => one.properties))
    return anyOf.flatMap((one, index) => [
      html`<tr class="either">
        <th scope="rowgroup" colspan="3" class="depth-${depth}">
          ${index === 0 ? 'either' : 'or'}${!one.properties && html` ${typeOf(one)}`}
        </th>
      </tr>`,
      ...rowsOf(one, depth, marks),
    ]);
  return [];
}

/** What has members of its own: the object itself, those of a list, or of a map. */
function withinOf(schema: Schema): Schema {
  if (schema.items) return withinOf(schema.items);
  if (typeof schema.additionalProperties === 'object' && !schema.properties)
    return withinOf(schema.additionalProperties);
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  return only && others.length === 0 ? withinOf(only) : schema;
}

function rowOf(name: string, schema: Schema, depth: number, mark: Marks | null): Markup {
  const { description } = schema;
  return html`<tr>
    <th scope="row" class="depth-${depth}">
      <code>${name}</code>${mark && html` <span class="${mark}">${mark}</span>`}
    </th>
    <td>${typeOf(schema)}</td>
    <td>
      ${description && words(description)}${limitsOf(schema).map((limit) => html` <span class="limit">${limit}</span>`)}
    </td>
  </tr>`;
}

/** `list of Evidence, or null`. */
export function typeOf(schema: Schema): Part {
  if (schema.$ref) return html`<a href="#schema-${nameIn(schema.$ref)}">${nameIn(schema.$ref)}</a>`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum)
    return separated(
      schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ' or ',
    );
  if (schema.anyOf) return separated(schema.anyOf.map(typeOf), ' or ');
  if (Array.isArray(schema.type))
    return separated(
      schema.type.map((type) => typeOf({ ...schema, type })),
      ' or ',
    );
  if (schema.type === 'array') return html`list of ${schema.items ? typeOf(schema.items) : 'anything'}`;
  if (
    schema.type === 'object' &&
    typeof schema.additionalProperties === 'object' &&
    !schema.properties &&
    Object.keys(schema.additionalProperties).length > 0
  )
    return html`map of ${typeOf(schema.additionalProperties)}`;
  if (schema.format === 'binary') return 'file';
  if (schema.format === 'date-time') return 'moment';
  if (schema.type === undefined) return 'anything';
  return { integer: 'whole number', boolean: 'true or false' }[schema.type] ?? schema.type;
}

function separated(parts: readonly Part[], by: string): Part {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [by, part]));
}

export function limitsOf(schema: Schema): string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum, exclusiveMinimum } = schema;
  const count = (figure: number) => figure.toLocaleString('en');
  return [
    ...between(minLength, maxLength, 'characters'),
    ...between(minItems, maxItems, 'members'),
    ...between(minimum, maximum, ''),
    ...(exclusiveMinimum === undefined ? [] : [`more than ${count(exclusiveMinimum)}`]),
    ...(schema.default === undefined ? [] : [`by default ${JSON.stringify(schema.default)}`]),
  ];

  function between(least: number | undefined, most: number | undefined, what: string): string[] {
    const unit = what && ` ${what}`;
    if (least !== undefined && most !== undefined && !(least <= 1 && unit))
      return [`${count(least)} to ${count(most)}${unit}`];
    if (most !== undefined) return [`at most ${count(most)}${unit}`];
    return least === undefined ? [] : [`at least ${count(least)}${unit}`];
  }
}
