import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { operations, schemas, type Operation } from '../api/index.ts';

/* Writes routes.ts, so that the client knows the contract without loading its schemas: npm run generate:client. */

export const routesFile = path.join(import.meta.dirname, 'routes.ts');

/** The text of routes.ts, as the contract is now. */
export function renderRoutes(): string {
  const lines = (operations as readonly Operation[]).map((each) => `  '${describeRoute(each)}',`);
  return `/* Generated from packages/server/src/api by npm run generate:client: not edited by hand. */

/** An operation each: its id, method and path, what is given, what is answered, and how (see Route). */
export const routes: readonly string[] = [
${lines.join('\n')}
];
`;
}

function describeRoute(operation: Operation): string {
  const { id, method, path: at, query, body, upload, lines, answers, events, onlyEvents, idempotent } = operation;
  if (query && (body || upload)) throw new Error(`${id} has a query and a body: the client has one argument for both.`);
  const given = lines ? 'lines' : upload ? `form:${upload.name}` : body ? 'json' : query ? 'query' : '-';
  const isEmpty = answers.status === 204 || onlyEvents;
  const answer = isEmpty ? 'nothing' : !answers.media ? 'value' : answers.schema ? 'either' : 'media';
  const how = [
    events && (onlyEvents ? 'events-only' : 'events'),
    events === schemas.trialEvent && 'trial',
    idempotent && 'idempotent',
  ];
  return [id, method.toUpperCase(), at, given, answer, ...how.filter(Boolean)].join(' ');
}

if (import.meta.main) writeFileSync(routesFile, renderRoutes());
