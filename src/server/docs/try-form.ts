import { html, type Markup } from '../../reports/index.ts';
import type { Parameter, Schema, ShownOperation } from './open-api-types.ts';

/**
 * A form that calls the operation from the page. It is there for those with a script; the page says everything
 * without it.
 */
export function renderTryForm(operation: ShownOperation): Markup {
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
