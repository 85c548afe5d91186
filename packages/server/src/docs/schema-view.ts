import { html, type Markup, type HtmlPart } from '@agonhq/engine/reports';
import { readRefName, type Schema } from './open-api-types.ts';

/** Which members are marked: those that must be given, or those that may be missing. */
type Marks = 'required' | 'optional';

/** The members of an object as a table; those of objects within it stand below it, and named ones are linked. */
export function renderSchema(schema: Schema, label: string, { marks = 'required' }: { marks?: Marks } = {}): Markup {
  const rows = listMembers(schema, 0, marks);
  if (rows.length === 0)
    return html`<p class="type">
      ${renderType(schema)}${schema.description && html` — ${renderInline(schema.description)}`}
    </p>`;
  return renderTable(label, 'Member', rows);
}

export function renderTable(label: string, first: string, rows: readonly Markup[]): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table class="members">
      <thead>
        <tr>
          <th scope="col">${first}</th>
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

/** A row of the table: its heading, and what a value is. */
export function renderRow(heading: Markup, schema: Schema, description = schema.description): Markup {
  const limits = listLimits(schema).map((limit) => html` <span class="limit">${limit}</span>`);
  return html`<tr>
    ${heading}
    <td>${renderType(schema)}</td>
    <td>${description && renderInline(description)}${limits}</td>
  </tr>`;
}

const deepest = 4;

function listMembers(schema: Schema, depth: number, marks: Marks): Markup[] {
  if (depth > deepest) return [];
  const members = Object.entries(schema.properties ?? {});
  if (members.length > 0)
    return members.flatMap(([name, member]) => [
      renderMember(
        name,
        member,
        depth,
        (schema.required?.includes(name) ?? false) === (marks === 'required') ? marks : null,
      ),
      ...listMembers(listNested(member), depth + 1, marks),
    ]);
  const { anyOf = [] } = schema;
  if (anyOf.some((one) => one.properties))
    return anyOf.flatMap((one, index) => [
      html`<tr class="either">
        <th scope="rowgroup" colspan="3" class="depth-${depth}">
          ${index === 0 ? 'either' : 'or'}${!one.properties && html` ${renderType(one)}`}
        </th>
      </tr>`,
      ...listMembers(one, depth, marks),
    ]);
  return [];
}

/** What has members of its own: the object itself, those of a list, or of a map. */
function listNested(schema: Schema): Schema {
  if (schema.items) return listNested(schema.items);
  if (typeof schema.additionalProperties === 'object' && !schema.properties)
    return listNested(schema.additionalProperties);
  const [only, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  return only && others.length === 0 ? listNested(only) : schema;
}

function renderMember(name: string, schema: Schema, depth: number, mark: Marks | null): Markup {
  const heading = html`<th scope="row" class="depth-${depth}">
    <code>${name}</code>${mark && html` <span class="${mark}">${mark}</span>`}
  </th>`;
  return renderRow(heading, schema);
}

/** `list of Evidence, or null`. */
export function renderType(schema: Schema): HtmlPart {
  if (schema.$ref) return html`<a href="#schema-${readRefName(schema.$ref)}">${readRefName(schema.$ref)}</a>`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum)
    return joinParts(
      schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ' or ',
    );
  if (schema.anyOf) return joinParts(schema.anyOf.map(renderType), ' or ');
  if (Array.isArray(schema.type))
    return joinParts(
      schema.type.map((type) => renderType({ ...schema, type })),
      ' or ',
    );
  if (schema.type === 'array') return html`list of ${schema.items ? renderType(schema.items) : 'anything'}`;
  if (
    schema.type === 'object' &&
    typeof schema.additionalProperties === 'object' &&
    !schema.properties &&
    Object.keys(schema.additionalProperties).length > 0
  )
    return html`map of ${renderType(schema.additionalProperties)}`;
  if (schema.format === 'binary') return 'file';
  if (schema.format === 'date-time') return 'moment';
  if (schema.type === undefined) return 'anything';
  return { integer: 'whole number', boolean: 'true or false' }[schema.type] ?? schema.type;
}

function joinParts(parts: readonly HtmlPart[], by: string): HtmlPart {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [by, part]));
}

export function listLimits(schema: Schema): string[] {
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

/** A line of our own with its `code` and **stress**. */
export function renderInline(text: string): HtmlPart {
  return text
    .split(/(`[^`]+`|\*\*[^*]+\*\*)/)
    .map((part) =>
      part.startsWith('`')
        ? html`<code>${part.slice(1, -1)}</code>`
        : part.startsWith('**')
          ? html`<b>${part.slice(2, -2)}</b>`
          : part,
    );
}

export function renderParagraphs(text: string): Markup[] {
  return text.split('\n\n').map((paragraph) => html`<p>${renderInline(paragraph)}</p>`);
}
