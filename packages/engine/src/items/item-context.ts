import { z } from 'zod';

/* What is known about an item beside what it says: who wrote it, where it stands. Untrusted like the item itself. */

const mostMembers = 40;
const longestJson = 16_000;
const name = /^\p{L}[\p{L}\p{N}_-]{0,59}$/u;

const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine((text) => text.isWellFormed() && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(text), {
      error: 'must be plain text',
    });
const id = line(256);
const value = z.union([line(4000), z.number(), z.boolean(), z.array(line(2000)).max(50)]);

/** The context of an item: five members that are known, and any others. */
export const contextSchema = z
  .object({
    author: id.optional().describe('Who wrote it: an id of yours. Cases of the same author are found by it.'),
    thread: id.optional().describe('The conversation it stands in. Cases of the same thread are found by it.'),
    channel: id.optional().describe('Where it was posted.'),
    language: line(35).optional().describe('A language tag: `de`, `pt-BR`.'),
    links: z.array(line(2000)).max(50).optional().describe('Addresses that belong to it. Never fetched.'),
    quotable: z
      .array(z.string().max(60))
      .max(mostMembers)
      .optional()
      .describe('Members that are content, to be judged and quoted, where the settings let the debaters see them.'),
  })
  .catchall(value.optional())
  .check(({ value: given, issues }) => {
    const say = (message: string, path: string[] = []) => issues.push({ code: 'custom', input: given, message, path });
    const names = Object.keys(given);
    if (names.length > mostMembers) say(`has more than ${mostMembers} members`);
    for (const one of names)
      if (!name.test(one)) say('must be called by letters, digits, _ and -, at most 60 of them', [one]);
    for (const one of given.quotable ?? [])
      if (!names.includes(one) || one === 'quotable')
        say(`names ${JSON.stringify(one)}, which is not there`, ['quotable']);
    if (JSON.stringify(given).length > longestJson) say(`is longer than ${longestJson} characters as JSON`);
  })
  .meta({
    id: 'Context',
    description:
      'What is known about an item beside what it says. People who review see it; debaters see the members that ' +
      '`moderation.context` or `evaluation.context` lists, and of documents none; nobody quotes it, unless it says ' +
      'that it is `quotable`. A text, a number, true or false, or a list of texts each; at most 16,000 characters.',
  });

export type ItemContext = z.infer<typeof contextSchema>;

/** The same as it is told: whatever was kept is read, whichever limits held then. */
export const keptContextSchema = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
  .meta({ id: 'KeptContext', description: 'What is known about an item beside what it says, as it was given.' });

/** One member in words. */
export function writeMember(member: string | number | boolean | readonly string[]): string {
  return typeof member === 'object' ? member.join('\n') : String(member);
}

const prefix = 'context.';

/**
 * An item whose fields `context.author`, `context.thread`, … are gathered in its `context`: so columns of a table, and
 * fields that are mapped, say it. A cell that is a list in JSON is that list; `links` are parted by blanks.
 */
export function gatherContext(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  const given = Object.entries(item).filter(([field, cell]) => field.startsWith(prefix) && cell !== undefined);
  if (given.length === 0) return item;
  const rest = Object.entries(item).filter(([field]) => !field.startsWith(prefix));
  const { context: own, ...others } = Object.fromEntries(rest) as { context?: object };
  const members = given.map(([field, cell]) => [field.slice(prefix.length), readCell(field, cell)]);
  return { ...others, context: { ...own, ...Object.fromEntries(members) } };
}

function readCell(field: string, cell: unknown): unknown {
  if (typeof cell !== 'string') return cell;
  if (cell.startsWith('['))
    try {
      return JSON.parse(cell) as unknown;
    } catch {
      return cell; // A text that begins with a bracket.
    }
  return field === 'context.links' || field === 'context.quotable' ? cell.trim().split(/\s+/) : cell;
}

/** Without what says nothing. */
export function dropEmptyContext<Item extends { context?: ItemContext | undefined }>(item: Item): Item {
  if (item.context === undefined || Object.keys(item.context).length > 0) return item;
  const { context: _, ...rest } = item;
  return rest as Item;
}
