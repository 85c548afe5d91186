import { writeMember } from '../items/item-context.ts';
import { codeSpan } from './markdown-escape.ts';
import { markdownList } from './markdown-parts.ts';

/* What is known about a subject beside what it says: text and nothing else, never a link. */

interface Known {
  context?: Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined;
  contextShown?: readonly string[] | undefined;
}

const listMembers = ({ context = {} }: Known) => Object.entries(context).filter(([name]) => name !== 'quotable');
const noteSeen = ({ contextShown = [] }: Known, name: string) =>
  contextShown.includes(name) ? ' (seen by the debaters)' : '';

export function contextBlocks(known: Known): string[] {
  const members = listMembers(known);
  if (members.length === 0) return [];
  const lines = members.map(
    ([name, value]) => `${codeSpan(name)}: ${codeSpan(writeMember(value))}${noteSeen(known, name)}`,
  );
  return ['### Context', markdownList(lines)];
}
