import { findTurns, type Turn } from '@agonhq/engine/debate';
import type { AbsenceSearch, ClaimAnswer } from '../index.ts';
import { verifyQuotes, type Evidence } from '@agonhq/engine/evidence';
import { z } from 'zod';

/** A quoted thing of the debate, with the place on the page where it is said. */
interface Said {
  anchor: string;
  evidence: readonly Evidence[];
}

export interface ExchangePremise extends Said {
  number: number;
  premise: string;
}

export interface ExchangeAttack extends Said {
  number: number;
  kind: string;
  point: string;
  /** Whose number it names; undefined for the claim itself, or when there is no such premise. */
  target: ExchangePremise | undefined;
  premise: number;
  missing: readonly string[];
  searches: readonly AbsenceSearch[];
  /** Whether the synthesizer found that it still stands; null when it was not heard. */
  stands: boolean | null;
}

export interface ExchangeReply extends Said {
  attack: number;
  target: ExchangeAttack | undefined;
  concedes: boolean;
  point: string;
}

export interface ExchangedRuling extends Said {
  name: 'support' | 'contradiction';
  finding: TurnFinding;
}

/** One turn of a claim's debate, whatever its role says. */
export interface ExchangeStep {
  turn: Turn;
  anchor: string;
  parts: TurnParts;
  premises: readonly ExchangePremise[];
  attacks: readonly ExchangeAttack[];
  replies: readonly ExchangeReply[];
  rulings: readonly ExchangedRuling[];
  /** What it quotes beside all that. */
  evidence: readonly Evidence[];
}

/** A claim's debate with all its links resolved: attacks to premises, replies to attacks, searches to attacks. */
export interface ClaimExchange {
  anchor: string;
  answer: ClaimAnswer;
  steps: readonly ExchangeStep[];
  /** Searches for an attack that is not there. */
  strays: readonly AbsenceSearch[];
}

/** Ids are made of positions: nothing untrusted gets into an address. */
export function exchangeOf(answer: ClaimAnswer, index: number): ClaimExchange {
  const anchor = `claim-${index + 1}`;
  const turns = findTurns(answer.transcript);
  const verify = quoteChecker(answer);
  const standing = turns.map((turn) => partsOf(turn)).findLast(({ support }) => support !== null)?.standing ?? null;
  const premises: ExchangePremise[] = [];
  const attacks: ExchangeAttack[] = [];
  const replies: ExchangeReply[] = [];
  const steps = turns.map((turn, position): ExchangeStep => {
    const parts = partsOf(turn);
    const ownPremises = parts.premises.map(({ premise, evidence }, at): ExchangePremise => ({
      anchor: `${anchor}-premise-${premises.length + at + 1}`,
      number: premises.length + at + 1,
      premise,
      evidence: verify(evidence),
    }));
    premises.push(...ownPremises);
    const ownAttacks = parts.attacks.map(({ evidence, ...attack }, at): ExchangeAttack => {
      const number = attacks.length + at + 1;
      return {
        ...attack,
        number,
        anchor: `${anchor}-attack-${number}`,
        evidence: verify(evidence),
        target: premises[attack.premise - 1],
        searches: answer.absences.filter((search) => search.attack === number),
        stands: standing && standing.includes(number),
      };
    });
    attacks.push(...ownAttacks);
    const ownReplies = parts.replies.map(({ evidence, ...reply }, at): ExchangeReply => ({
      ...reply,
      anchor: `${anchor}-reply-${replies.length + at + 1}`,
      evidence: verify(evidence),
      target: attacks[reply.attack - 1],
    }));
    replies.push(...ownReplies);
    const rulings = (['support', 'contradiction'] as const).flatMap((name): ExchangedRuling[] =>
      parts[name]
        ? [
            {
              name,
              finding: parts[name],
              anchor: `${anchor}-turn-${position + 1}-${name}`,
              evidence: verify(parts[name].evidence),
            },
          ]
        : [],
    );
    const said = new Set(
      [...ownPremises, ...ownAttacks, ...ownReplies, ...rulings].flatMap(({ evidence }) => evidence.map(placeOf)),
    );
    return {
      turn,
      parts,
      anchor: `${anchor}-turn-${position + 1}`,
      premises: ownPremises,
      attacks: ownAttacks,
      replies: ownReplies,
      rulings,
      evidence: turn.evidence.filter((evidence) => !said.has(placeOf(evidence))),
    };
  });
  return {
    anchor,
    answer,
    steps,
    strays: answer.absences.filter(({ attack }) => !attacks.some(({ number }) => number === attack)),
  };
}

/** The quotations of a part are checked anew, since a turn lists those of all its parts together. */
function quoteChecker(answer: ClaimAnswer): (quotes: readonly string[]) => Evidence[] {
  const checked = new Map<string, Evidence>();
  return (quotes) =>
    quotes.map((quote) => {
      const evidence = checked.get(quote) ?? verifyQuotes([quote], answer.sources)[0]!;
      checked.set(quote, evidence);
      return evidence;
    });
}

function placeOf(evidence: Evidence): string {
  return JSON.stringify(evidence.verified ? [evidence.source, evidence.start, evidence.end] : [evidence.quote]);
}

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
type TurnParts = z.infer<typeof partsSchema>;
type TurnFinding = NonNullable<TurnParts['support']>;

/** Nothing is read from a seat that was not heard: a fallback has no premises of its own. */
function partsOf(turn: Turn): TurnParts {
  const said =
    typeof turn.answer === 'object' && turn.answer !== null && !Array.isArray(turn.answer) && !turn.fallback
      ? turn.answer
      : {};
  return partsSchema.parse(said);
}
