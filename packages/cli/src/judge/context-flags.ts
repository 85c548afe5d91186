import { z } from 'zod';
import { badFlag } from '@agonhq/engine/agon-error';
import { contextSchema, type ItemContext } from '@agonhq/engine/items/item-context';
import { collect } from '../define-command.ts';

export const contextOption = [
  '--context <name=value>',
  'what is known about it beside what it says: author, thread, channel, language, links or a name of your own ' +
    '(repeatable; a name that is repeated is a list)',
  collect,
] as const;

/** `author=ann links=a links=b` as a context; the schema of the content says whether it is one. */
export function readContextFlags(pairs: readonly string[]): ItemContext {
  const members = new Map<string, string[]>();
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1 || at === pair.length - 1)
      throw badFlag(`--context ${pair} is not a pair.`, 'Write --context author=user-4711.');
    const name = pair.slice(0, at);
    members.set(name, [...(members.get(name) ?? []), pair.slice(at + 1)]);
  }
  const isList = (name: string, values: readonly string[]) =>
    values.length > 1 || name === 'links' || name === 'quotable';
  return Object.fromEntries([...members].map(([name, values]) => [name, isList(name, values) ? values : values[0]!]));
}

/** The same for what has no schema of its own that would say so. */
export function parseContextFlags(pairs: readonly string[]): ItemContext {
  const parsed = contextSchema.safeParse(readContextFlags(pairs));
  if (parsed.success) return parsed.data;
  throw badFlag(`--context is not readable: ${z.prettifyError(parsed.error)}`, 'Write --context author=user-4711.');
}
