import { plain } from './stored-json.ts';

const longest = 160;

/** Members that hold words of the subject, in the order in which a reader wants them. */
const wordy = [
  'text',
  'claim',
  'prompt',
  'response',
  'conversation',
  'messages',
  'content',
  'description',
  'images',
  'documents',
  'title',
  'name',
];

/** All that is not a single space already: replacing each of those by itself would take longer than the rest. */
const blanks = /[\s\p{Cc}]{2,}|[^\S ]|\p{Cc}/gu;

/** The first words of what was judged, on one line. */
export function excerptOf(content: unknown): string {
  const words = [...textsOf(content, 0)].join(' · ').replace(blanks, ' ').trim();
  return plain(words.length <= longest ? words : `${words.slice(0, longest - 1).trimEnd()}…`);
}

function* textsOf(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') yield value.slice(0, longest * 4);
  if (value === null || typeof value !== 'object' || depth > 4) return;
  if (Array.isArray(value)) for (const member of value.slice(0, 4)) yield* textsOf(member, depth + 1);
  else for (const name of wordy) yield* textsOf((value as Record<string, unknown>)[name], depth + 1);
}
