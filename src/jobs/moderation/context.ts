import type { Observation } from '../../debate/index.ts';
import { writeMember, type ItemContext } from '../../item-context.ts';

/*
 * What debaters see of a context: the members that the settings list. They weigh it and cannot quote it, since it is no
 * source; what it says is quotable is a source like any other.
 */

function isQuotable(context: ItemContext, name: string): boolean {
  return context.quotable?.includes(name) ?? false;
}

function listAllowed(context: ItemContext | undefined, allowed: readonly string[]): [string, string][] {
  if (!context) return [];
  return Object.entries(context).flatMap(([name, member]) =>
    name !== 'quotable' && member !== undefined && allowed.includes(name) ? [[name, writeMember(member)]] : [],
  );
}

/** The members that debaters see, for the record; absent where they see none. */
export function listShown(context: ItemContext, allowed: readonly string[]): { contextShown?: string[] } {
  const shown = listAllowed(context, allowed).map(([name]) => name);
  return shown.length > 0 ? { contextShown: shown } : {};
}

/** What is content, though it stands in the context. */
export function listQuotable(context: ItemContext | undefined, allowed: readonly string[]): Observation[] {
  return listAllowed(context, allowed)
    .filter(([name]) => isQuotable(context!, name))
    .map(([name, text]) => ({ id: `context/${name}`, text, tool: 'context', of: 'context', note: `its ${name}` }));
}

/** The rest of it, a line each; empty without any. */
export function describeContext(context: ItemContext | undefined, allowed: readonly string[]): string {
  return listAllowed(context, allowed)
    .filter(([name]) => !isQuotable(context!, name))
    .map(([name, text]) => `${name}: ${text.replace(/\s+/gu, ' ')}`)
    .join('\n');
}
