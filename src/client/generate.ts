import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { operations, schemas, type Operation } from '../api/index.ts';
import type { Route } from './types.ts';

/* Writes routes.ts, so that the client knows the contract without loading its schemas: npm run generate:client. */

export const routesFile = path.join(import.meta.dirname, 'routes.ts');

/** The text of routes.ts, as the contract is now. */
export function renderRoutes(): string {
  const lines = (operations as readonly Operation[]).map((each) => renderEntry(each.id, describeRoute(each)));
  return `import type { Route } from './types.ts';

/* Generated from src/api by npm run generate:client: not edited by hand. */

export const routes: Record<string, Route> = {
${lines.join('\n')}
};
`;
}

function describeRoute({
  id,
  method,
  path: at,
  query,
  body,
  upload,
  answers,
  events,
  onlyEvents,
  idempotent,
}: Operation): Route {
  if (query && (body || upload)) throw new Error(`${id} has a query and a body: the client has one argument for both.`);
  return {
    method: method.toUpperCase() as Route['method'],
    path: at,
    ...(upload ? { given: { form: upload.name } } : body ? { given: 'json' } : query ? { given: 'query' } : {}),
    answer:
      answers.status === 204 || onlyEvents ? 'nothing' : !answers.media ? 'value' : answers.schema ? 'either' : 'media',
    ...(events ? { events: onlyEvents ? 'only' : 'also' } : {}),
    ...(events === schemas.trialEvent ? { trial: true } : {}),
    ...(idempotent ? { idempotent } : {}),
  };
}

/** Laid out as the formatter does it. */
function renderEntry(id: string, route: Route): string {
  const line = `  '${id}': ${renderObject(route)},`;
  if (line.length <= 120) return line;
  return [`  '${id}': {`, ...renderMembers(route).map((member) => `    ${member},`), '  },'].join('\n');
}

function renderObject(value: object): string {
  return `{ ${renderMembers(value).join(', ')} }`;
}

function renderMembers(value: object): string[] {
  return Object.entries(value).map(([name, member]: [string, unknown]) => {
    if (typeof member === 'object' && member !== null) return `${name}: ${renderObject(member)}`;
    return `${name}: ${typeof member === 'string' ? `'${member}'` : String(member)}`;
  });
}

if (import.meta.main) writeFileSync(routesFile, renderRoutes());
