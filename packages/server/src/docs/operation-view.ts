import { html, type Markup } from '@agonhq/engine/reports';
import {
  readRefName,
  type DocumentedAnswer,
  type OpenApi,
  type Parameter,
  type Schema,
  type ShownOperation,
} from './open-api-types.ts';
import { renderInline, renderRow, renderSchema, renderTable, renderType } from './schema-view.ts';

export function renderOperation(
  operation: ShownOperation,
  schemas: OpenApi['components']['schemas'],
  origin: string,
): Markup {
  const { operationId, method, path, summary, description, parameters, requestBody, responses } = operation;
  const scope = operation['x-agon-scope'];
  const good = responses.filter(([status]) => status.startsWith('2'));
  const problems = responses.filter(([status]) => !status.startsWith('2'));
  const resolve = (schema: Schema) => (schema.$ref ? schemas[readRefName(schema.$ref)]! : schema);
  return html`<article id="${operationId}" data-words="${`${operationId} ${method} ${path} ${summary}`.toLowerCase()}">
    <h3><a class="anchor" href="#${operationId}">${summary}</a></h3>
    <p class="address">
      <span class="method ${method.toLowerCase()}">${method}</span> <code>${breakAfterSlashes(path)}</code>
      <span class="badge">${scope ? `scope ${scope}` : 'anybody'}</span>
    </p>
    ${description && html`<p>${renderInline(description)}</p>`}
    ${parameters.length > 0 && renderParameters(parameters, operationId)}
    ${
      requestBody &&
      Object.entries(requestBody.content).map(
        ([type, media]) =>
          html`<h4>Body <span class="small">${type}${!requestBody.required && ', may be left out'}</span></h4>
            ${renderSchema(resolve(media.schema), `The body of ${operationId}`)}`,
      )
    }
    ${good.map(([status, answer]) => renderAnswer(status, answer))}
    <h4>Problems</h4>
    <ul class="problems">
      ${problems.map(([status, answer]) => html`<li><b>${status}</b> ${renderInline(answer.description)}</li>`)}
    </ul>
    <div class="examples">
      <div>
        <h4>curl</h4>
        <pre tabindex="0"><code>${writeCurlExample(operation, origin)}</code></pre>
      </div>
      <div>
        <h4>Client</h4>
        <pre tabindex="0"><code>${writeClientExample(operation)}</code></pre>
      </div>
    </div>
    ${renderTryForm(operation)}
  </article>`;
}

function renderParameters(parameters: readonly Parameter[], operationId: string): Markup {
  const rows = parameters.map(({ name, schema, required, description, in: place }) => {
    const heading = html`<th scope="row">
      <code>${name}</code>
      <span class="small">${place}</span>${required && html` <span class="required">required</span>`}
    </th>`;
    return renderRow(heading, schema, description);
  });
  return html`<h4>Parameters</h4>
    ${renderTable(`The parameters of ${operationId}`, 'Name', rows)}`;
}

function renderAnswer(status: string, { description, content = {} }: DocumentedAnswer): Markup {
  const shown = Object.entries(content).map(([type, media]) => {
    const event = media['x-agon-event'];
    const value = type === 'application/json' ? renderType(media.schema) : null;
    return html`<li>
      <code>${type}</code>
      ${event ? html`events, each ${renderType(event)}` : value}${
        media.example !== undefined &&
        html`<details class="example">
          <summary>Example</summary>
          <pre tabindex="0"><code>${JSON.stringify(media.example, null, 2)}</code></pre>
        </details>`
      }
    </li>`;
  });
  return html`<h4>Answer <b>${status}</b></h4>
    <p>${renderInline(description)}</p>
    ${
      shown.length > 0 &&
      html`<ul class="answers">
        ${shown}
      </ul>`
    }`;
}

/** Long addresses break where a reader expects it. */
function breakAfterSlashes(path: string) {
  return path.split('/').map((part, index) => (index === 0 ? part : html`/<wbr />${part}`));
}

/** How to call an operation with curl. */
function writeCurlExample(
  { method, path, parameters, requestBody, responses, ...operation }: ShownOperation,
  origin: string,
): string {
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}=…`)
    .join('&');
  const onlyEvents = Object.keys(responses[0]?.[1].content ?? {}).join() === 'text/event-stream';
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const body = type === 'application/json' ? (media?.example ?? (requestBody!.required ? {} : undefined)) : undefined;
  const sendsBody = body !== undefined || type === 'multipart/form-data';
  const isUsual = method === 'GET' || (method === 'POST' && sendsBody);
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
  const url = quoteForShell(`${origin}${address}${query && `?${query}`}`);
  return [
    `curl ${onlyEvents ? '-N ' : ''}${isUsual ? '' : `-X ${method} `}${url}`,
    ...(operation['x-agon-scope'] ? [`-H "Authorization: Bearer $AGON_API_KEY"`] : []),
    ...(body === undefined ? [] : [`--json ${quoteForShell(JSON.stringify(body))}`]),
    ...(type === 'multipart/form-data'
      ? [`-F file=@${method === 'POST' && path.endsWith('/runs') ? 'items.jsonl -F job=moderation' : 'report.pdf'}`]
      : []),
  ].join(' \\\n  ');
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The same with the typed client. */
function writeClientExample({ operationId, path, parameters, requestBody, responses }: ShownOperation): string {
  const params = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const given = [
    ...params.map((name) => name),
    ...(type === 'application/json' && (media?.example !== undefined || requestBody!.required)
      ? [writeLiteral(media?.example ?? {})]
      : []),
    ...(type === 'multipart/form-data'
      ? [
          path.endsWith('/runs')
            ? `{ job: 'moderation', files: [{ name: 'items.jsonl', data: await readFile('items.jsonl') }] }`
            : `{ files: [{ name: 'report.pdf', data: await readFile('report.pdf') }] }`,
        ]
      : []),
  ].join(', ');
  const onlyEvents = Object.keys(responses[0]?.[1].content ?? {}).join() === 'text/event-stream';
  return onlyEvents
    ? `for await (const event of client.${operationId}(${given})) console.log(event)`
    : `await client.${operationId}(${given})`;
}

/** A value as it is written in a program. */
function writeLiteral(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", String.raw`\'`)}'`;
  if (Array.isArray(value)) return `[${value.map(writeLiteral).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${name}: ${writeLiteral(member)}`)
    .join(', ')} }`;
}

/**
 * A form that calls the operation from the page. It is there for those with a script; the page says everything
 * without it.
 */
function renderTryForm(operation: ShownOperation): Markup {
  const { operationId, method, path, parameters, requestBody, responses } = operation;
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const answers = Object.keys(responses[0]?.[1].content ?? {});
  const id = (name: string) => `try-${operationId}-${name}`;
  const required = html` <span class="required">required</span>`;
  const field = (parameter: Parameter) =>
    html`<label for="${id(parameter.name)}"
      ><span>${parameter.name}${parameter.required && required}</span
      >${renderInput(parameter.schema, id(parameter.name), parameter.in, parameter.name, parameter.required)}</label
    >`;
  const body = html`<label for="${id('body')}" class="wide">
    <span>Body (JSON)</span>
    <textarea id="${id('body')}" name="body" data-place="body" rows="5" spellcheck="false">
${JSON.stringify(media?.example ?? {}, null, 2)}</textarea>
  </label>`;
  const part = ([name, schema]: [string, Schema]) =>
    html`<label for="${id(`form-${name}`)}">
      <span>${name}${media!.schema.required?.includes(name) && required}</span>
      ${renderFormInput(schema, id(`form-${name}`), name)}
    </label>`;
  const live = html`<label class="check"><input type="checkbox" name="live" /> <span>Live events</span></label>`;
  return html`<details class="try" hidden>
    <summary>Try it</summary>
    <form data-method="${method}" data-path="${path}" data-body="${type ?? ''}" data-answers="${answers.join(' ')}">
      ${parameters.filter(({ in: place }) => place !== 'header').map(field)} ${type === 'application/json' && body}
      ${type === 'multipart/form-data' && Object.entries(media!.schema.properties ?? {}).map(part)}
      ${parameters.filter(({ in: place }) => place === 'header').map(field)}
      ${answers.includes('text/event-stream') && answers.length > 1 && live}
      <p class="buttons"><button type="submit">Send</button> <button type="button" class="stop" hidden>Stop</button></p>
      <div class="outcome" role="status" aria-live="polite"></div>
    </form>
  </details>`;
}

function renderInput(schema: Schema, id: string, place: string, name: string, required: boolean): Markup {
  const choices = schema.enum ?? (schema.type === 'boolean' ? [true, false] : null);
  if (choices)
    return html`<select id="${id}" name="${name}" data-place="${place}">
      <option value="">${schema.default === undefined ? '' : `${JSON.stringify(schema.default)} (default)`}</option>
      ${choices.map((choice) => html`<option>${String(choice)}</option>`)}
    </select>`;
  const placeholder = schema.default !== undefined && html` placeholder="${JSON.stringify(schema.default)}"`;
  const kind = schema.type === 'integer' || schema.type === 'number' ? 'number' : 'text';
  return html`<input
    id="${id}"
    name="${name}"
    data-place="${place}"
    type="${kind}"
    ${kind === 'number' && html` step="any"`}${required && html` required`}${placeholder}
    autocomplete="off"
  />`;
}

function renderFormInput(schema: Schema, id: string, name: string): Markup {
  if (schema.items?.format === 'binary')
    return html`<input id="${id}" name="${name}" data-place="file" type="file" multiple />`;
  return renderInput(schema, id, 'form', name, false);
}
