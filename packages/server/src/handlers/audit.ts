import { readPages } from '@agonhq/core/async-items';
import { scopes as allScopes, type Scope } from '../api/index.ts';
import type { Actor, ApiKeyRow, AuditEntry, AuditFilter, Ledger } from '@agonhq/ledger';
import { renderCsvRow, renderTextCell } from '@agonhq/engine/text';
import { listScopes } from '../auth/people.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import { replyWithLines } from '../reply.ts';
import type { ServerContext } from '../server-context.ts';

const pageSize = 200;
const mostPeople = 100;
const signIns = ['session.create', 'session.openid'];

/** Who did what. What this server was asked before is in the answer, although its log is written behind its answers. */
export const auditHandlers: Handlers<GroupOf<'audit'>> = {
  async 'audit.list'({ query: { limit, after, ...filter } }, { ledger, audit }) {
    await audit.flush();
    return ledger.audit.listEntries(filter, { limit, after: after ?? null });
  },

  async 'audit.export'({ query: { format, ...filter } }, { ledger, audit }) {
    await audit.flush();
    return replyWithLines(renderLines(ledger, filter, format), format, 'audit');
  },

  async 'audit.people'(_, context) {
    const { ledger, audit } = context;
    await audit.flush();
    const keys = new Map((await ledger.keys.listKeys()).map((key) => [key.id, key]));
    const actors = await ledger.audit.listActors({ limit: mostPeople, signIns });
    return { rows: actors.map((actor) => showActor(actor, keys, context)) };
  },
};

const columns = ['at', 'who', 'key', 'operation', 'target', 'what', 'status', 'request'] as const;

/** A page in memory at a time. */
async function* renderLines(
  { audit }: Ledger,
  filter: AuditFilter,
  format: 'csv' | 'jsonl',
): AsyncGenerator<string, void, void> {
  if (format === 'csv') yield renderCsvRow(columns);
  for await (const entry of readPages((after) => audit.listEntries(filter, { limit: pageSize, after })))
    yield format === 'csv' ? renderCsvLine(entry) : `${JSON.stringify(entry)}\n`;
}

function renderCsvLine(entry: AuditEntry): string {
  const cells: Record<(typeof columns)[number], string> = {
    at: entry.at.toISOString(),
    who: entry.who ?? '',
    key: entry.key ?? '',
    operation: entry.operation,
    target: entry.target ?? '',
    what: Object.keys(entry.what).length === 0 ? '' : JSON.stringify(entry.what),
    status: String(entry.status),
    request: entry.request,
  };
  return renderCsvRow(columns.map((column) => renderTextCell(cells[column])));
}

/** What a key may is asked of the key, what a person may of their roles and the settings: both may have changed. */
function showActor(
  { key, who, lastSeen, entries, signIn }: Actor,
  keys: ReadonlyMap<string, ApiKeyRow>,
  { settings }: ServerContext,
) {
  const isPerson = key.startsWith('openid-');
  const said = signIn?.what['roles'];
  const roles = Array.isArray(said) ? said.filter((role) => typeof role === 'string') : [];
  const openid = settings.server?.openid;
  const granted = isPerson ? signIn && openid && listScopes(roles, openid) : keys.get(key)?.scopes;
  return {
    key,
    name: who,
    kind: isPerson ? ('openid' as const) : ('key' as const),
    scopes: granted ? allScopes.filter((scope: Scope) => granted.includes(scope)) : null,
    roles,
    signedInAt: signIn?.at ?? null,
    lastSeen,
    entries,
  };
}
