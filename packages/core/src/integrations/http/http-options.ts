import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { createGuard, type Guard, type GuardOptions } from '../../guard/index.ts';

const pointer = z.string().regex(/^(\/[^/]*)*$/, 'must be a JSON pointer such as /messages/*/content');
const chosenSchema = z.union([z.string(), z.array(z.string())]);
const fields = z.union([
  z.array(pointer),
  z.custom<(body: unknown) => z.infer<typeof chosenSchema>>((value) => typeof value === 'function'),
]);

const schema = z.object({
  /** Which texts of a JSON body are judged; all of them by default. `*` is any member. */
  fields: fields.optional(),
  /** Which texts of a response's JSON, or of each of its events, are judged. */
  responseFields: fields.optional(),
  /** Whether what the handler answers is judged too. */
  responses: z.enum(['judge', 'skip']).default('skip'),
  /** Larger bodies are refused. */
  maxBytes: z.int().min(1).default(1_048_576),
});

type HttpChoices = z.output<typeof schema>;
export type Fields = HttpChoices['fields'];

/** What the HTTP guard takes: its own options beside those of a guard, or a guard that several share. */
export type HttpGuardOptions = z.input<typeof schema> & ({ guard?: Guard } | GuardOptions);

export interface HttpGuard extends HttpChoices {
  guard: Guard;
}

export function openHttpGuard({ fields, responseFields, responses, maxBytes, ...rest }: HttpGuardOptions): HttpGuard {
  const parsed = schema.safeParse({ fields, responseFields, responses, maxBytes });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AgonError(
      'bad-guard-options',
      `The guard cannot be made: ${issue!.path.join('.')}: ${issue!.message}.`,
      'docs/guard.md lists every option with its values.',
    );
  }
  const guard = 'guard' in rest && rest.guard ? rest.guard : createGuard(rest as GuardOptions);
  return { ...parsed.data, guard };
}

/** A text of a JSON value, and where in it it stands. */
interface PlacedText {
  place: string;
  text: string;
}

/** The texts of a JSON value that are judged. */
export function selectTexts(value: unknown, chosen: Fields): string[] {
  return findTexts(value, chosen).map(({ text }) => text);
}

/** The texts of an event: all but those that can only be names, unless they are named themselves. */
export function listTexts(value: unknown, chosen: Fields): PlacedText[] {
  const texts = findTexts(value, chosen);
  return chosen === undefined ? texts.filter(({ place, text }) => !isName(place, text)) : texts;
}

function findTexts(value: unknown, chosen: Fields): PlacedText[] {
  if (chosen === undefined) return listStrings({ place: '', value });
  if (typeof chosen === 'function')
    return [chosenSchema.parse(chosen(value))].flat().map((text) => ({ place: '', text }));
  return chosen.flatMap((one) =>
    follow({ place: '', value }, one.split('/').slice(1).map(unescape)).flatMap((found) => listStrings(found)),
  );
}

const nameKeys =
  /(?:^|_|[a-z])(?:id|Id|ID)$|^(?:type|object|model|role|name|toolName|status|finish_?reason|stop_reason|service_tier|system_fingerprint)$/i;

/** `type`, `id` or `model` with one word of protocol. */
function isName(place: string, text: string): boolean {
  return text.length <= 100 && /^[\w.:/-]*$/.test(text) && nameKeys.test(place.slice(place.lastIndexOf('/') + 1));
}

function unescape(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

interface Placed {
  place: string;
  value: unknown;
}

function follow(at: Placed, [segment, ...rest]: readonly string[]): Placed[] {
  if (segment === undefined) return [at];
  return listMembers(at)
    .filter(({ key }) => segment === '*' || segment === key)
    .flatMap((member) => follow(member, rest));
}

/** Into one list: a copy at every depth would take the square of it. */
function listStrings({ place, value }: Placed, found: PlacedText[] = []): PlacedText[] {
  if (typeof value === 'string') found.push({ place, text: value });
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, member] of Object.entries(value)) listStrings({ place: `${place}/${key}`, value: member }, found);
  return found;
}

function listMembers({ place, value }: Placed): (Placed & { key: string })[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([key, member]: [string, unknown]) => ({
    place: `${place}/${key}`,
    key,
    value: member,
  }));
}
