import { z } from 'zod';
import { AgonError } from '../../errors.ts';
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

/** The texts of a JSON value that are judged. */
export function selectTexts(value: unknown, chosen: Fields): string[] {
  if (chosen === undefined) return listStrings(value);
  if (typeof chosen === 'function') return [chosenSchema.parse(chosen(value))].flat();
  return chosen.flatMap((one) => follow(value, one.split('/').slice(1).map(unescape)).flatMap(listStrings));
}

function unescape(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function follow(value: unknown, [segment, ...rest]: readonly string[]): unknown[] {
  if (segment === undefined) return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (segment === '*') return Object.values(value).flatMap((member: unknown) => follow(member, rest));
  return Object.hasOwn(value, segment) ? follow((value as Record<string, unknown>)[segment], rest) : [];
}

function listStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(listStrings);
}
