import { z } from 'zod';
import type { Turn } from '@agonhq/engine/debate';

/*
 * What a seat said beside its statement. An answer in a file may hold anything there: what is missing or odd is
 * shown as missing, and a report never fails over it.
 */

const text = z.string().catch('');
const texts = z
  .array(z.unknown())
  .catch([])
  .transform((items) => items.filter((item) => typeof item === 'string'));
const place = z.int().min(0).catch(0);
const listOf = <Item>(item: z.ZodType<Item>) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((items) =>
      items.flatMap((value) => {
        const read = item.safeParse(value);
        return read.success ? [read.data] : [];
      }),
    );
const finding = z
  .object({ why: text, evidence: texts, holds: z.boolean().catch(false), strength: text })
  .nullable()
  .catch(null);

const partsSchema = z.object({
  premises: listOf(z.object({ premise: text, evidence: texts })),
  attacks: listOf(z.object({ premise: place, kind: text, point: text, evidence: texts, missing: texts })),
  replies: listOf(z.object({ attack: place, concedes: z.boolean().catch(false), point: text, evidence: texts })),
  support: finding,
  contradiction: finding,
  standing: listOf(z.int()),
  confidence: z.number().nullable().catch(null),
});

/** What any seat of a documents debate can say; what its role does not say is empty. */
export type TurnParts = z.infer<typeof partsSchema>;
export type TurnFinding = NonNullable<TurnParts['support']>;

/** Nothing is read from a seat that was not heard: a fallback has no premises of its own. */
export function partsOf(turn: Turn): TurnParts {
  const said =
    typeof turn.answer === 'object' && turn.answer !== null && !Array.isArray(turn.answer) && !turn.fallback
      ? turn.answer
      : {};
  return partsSchema.parse(said);
}
