import type { ShownOperation } from './open-api-types.ts';

/** How to call an operation with curl. */
export function curlExample(
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
  return [
    `curl ${onlyEvents ? '-N ' : ''}${method === 'GET' || (method === 'POST' && (body !== undefined || type === 'multipart/form-data')) ? '' : `-X ${method} `}${quoted(`${origin}${path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())}${query && `?${query}`}`)}`,
    ...(operation['x-agon-scope'] ? [`-H "Authorization: Bearer $AGON_API_KEY"`] : []),
    ...(body === undefined ? [] : [`--json ${quoted(JSON.stringify(body))}`]),
    ...(type === 'multipart/form-data'
      ? [`-F file=@${method === 'POST' && path.endsWith('/runs') ? 'items.jsonl -F job=moderation' : 'report.pdf'}`]
      : []),
  ].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The same with the typed client. */
export function clientExample({ operationId, path, parameters, requestBody, responses }: ShownOperation): string {
  const params = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const given = [
    ...params.map((name) => name),
    ...(type === 'application/json' && (media?.example !== undefined || requestBody!.required)
      ? [written(media?.example ?? {})]
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
function written(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", String.raw`\'`)}'`;
  if (Array.isArray(value)) return `[${value.map(written).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${name}: ${written(member)}`)
    .join(', ')} }`;
}
