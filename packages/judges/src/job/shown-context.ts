import { z } from 'zod';
import type { Fence, Observation } from '@agonhq/engine/debate';
import { hashOf } from '@agonhq/engine/hash';
import { dropEmptyContext, keptContextSchema, writeMember, type ItemContext } from '@agonhq/engine/items/item-context';

/*
 * What debaters see of a context: the members that the settings list. They weigh it and cannot quote it, since it is no
 * source; what it says is quotable is a source like any other.
 */

/** What of a context an answer says, as part of its subject; absent where nothing is known. */
export const contextShape = {
  /** What is known about the subject beside what it says, as it was given. */
  context: keptContextSchema.optional(),
  /** The members of it that the debaters saw. */
  contextShown: z.array(z.string()).optional(),
};

/** The context as an answer tells it, with the members that debaters see. */
export function recordContext(context: ItemContext | undefined, allowed: readonly string[]) {
  return context ? { context: keptContextSchema.parse(context), ...listShown(context, allowed) } : {};
}

/** What an item says of its context, if anything. */
export function knownContext({ context }: { context?: ItemContext | null | undefined }): { context?: ItemContext } {
  return dropEmptyContext(context ? { context } : {});
}

/**
 * What the hash of an item ends with. The same by another author is another case; what it is about is still told by
 * how the hash begins.
 */
export function hashContext({ context }: { context?: ItemContext | undefined }): string {
  return context ? `+${hashOf(context).slice(7, 23)}` : '';
}

/** Between fence lines of its own, as debaters read it; empty without any. */
export function fenceContext(context: string | undefined, of: string, fence: Fence): string {
  return context
    ? `\n${fence(`context (known about the ${of}, no part of it: weigh it, never quote it)`, context)}`
    : '';
}

function isQuotable(context: ItemContext, name: string): boolean {
  return context.quotable?.includes(name) ?? false;
}

function listAllowed(context: ItemContext | undefined, allowed: readonly string[]): [string, string][] {
  if (!context) return [];
  return Object.entries(context).flatMap(([name, member]) =>
    name !== 'quotable' && member !== undefined && allowed.includes(name) ? [[name, writeMember(member)]] : [],
  );
}

/** The members that debaters see; absent where they see none. */
function listShown(context: ItemContext, allowed: readonly string[]): { contextShown?: string[] } {
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
