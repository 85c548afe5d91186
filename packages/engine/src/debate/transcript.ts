import type { z } from 'zod';
import type { computedSchema, Described, stopSchema, turnSchema } from './answer-schema.ts';

/** One answer of one seat. */
export interface Turn<Answer = unknown> extends Omit<Described<z.infer<typeof turnSchema>>, 'answer'> {
  /** The whole answer, in the role's schema. */
  answer: Answer;
}

/** What pure code added: retrieval, number checks, adjudication. */
export interface Computed<Value = unknown> extends Omit<Described<z.infer<typeof computedSchema>>, 'value'> {
  value: Value;
}

/** Why the rounds ended. */
export interface Stop extends Described<z.infer<typeof stopSchema>> {}

/** One line of the record. */
export type Entry = Turn | Computed | Stop;

/** The entries so far, append-only. */
export type Transcript = readonly Entry[];

/** What tells the turns of a role apart, and the type of their answers. Every role is one. */
export interface RoleKey<Answer = unknown> {
  id: string;
  /** The one seat it speaks from, where roles with different answers share an id. */
  atSeat?: string;
  schema: z.ZodType<Answer>;
}

/**
 * The turns of some roles, or of all. Their answers need no second look: the engine took them in the role's schema, and
 * the recheck of an answer from outside begins with the schemas.
 *
 * @example findTurns(transcript, critic).map(({ answer }) => answer.objections)
 */
export function findTurns<Answer = unknown>(transcript: Transcript, ...roles: RoleKey<Answer>[]): Turn<Answer>[] {
  return transcript.filter(
    (entry): entry is Turn<Answer> =>
      entry.kind === 'turn' && (roles.length === 0 || roles.some((role) => isTurnOf(entry, role))),
  );
}

/** The last turn of a role or of a seat. */
export function findLastTurn<Answer>(transcript: Transcript, role: RoleKey<Answer>): Turn<Answer> | undefined;
export function findLastTurn(transcript: Transcript, seat: string): Turn | undefined;
export function findLastTurn(transcript: Transcript, of: RoleKey | string): Turn | undefined {
  return transcript.findLast(
    (entry): entry is Turn =>
      entry.kind === 'turn' && (typeof of === 'string' ? entry.seat === of : isTurnOf(entry, of)),
  );
}

/** Whether a turn is of this role, and so has its answer. */
export function isTurnOf<Answer>(turn: Turn, { id, atSeat }: RoleKey<Answer>): turn is Turn<Answer> {
  return turn.role === id && (atSeat === undefined || turn.seat === atSeat);
}

/** The quotes of a turn that stand in a source, in the source's own letters. */
export function listQuotes({ evidence }: Pick<Turn, 'evidence'>): string[] {
  return evidence.flatMap((piece) => (piece.verified ? [piece.quote] : []));
}

/** A computed step: its name on record, and the type of what it puts there. */
export interface Step<Value> {
  name: string;
  hasEntry: (entry: Entry) => entry is Computed<Value>;
}

/**
 * Names a computed step, so that whoever reads its value knows the type.
 *
 * @example
 * const tally = defineStep<{ votes: number }>('tally');
 * inOrder(turn(voter), compute(tally, ({ transcript }) => ({ votes: findTurns(transcript).length })));
 * findValue(transcript, tally)?.votes;
 */
export function defineStep<Value>(name: string): Step<Value> {
  return {
    name,
    hasEntry: (entry): entry is Computed<Value> => entry.kind === 'computed' && entry.name === name,
  };
}

/** What a step last put on record; undefined when it has not run. */
export function findValue<Value>(transcript: Transcript, step: Step<Value>): Value | undefined {
  return transcript.findLast(step.hasEntry)?.value;
}
