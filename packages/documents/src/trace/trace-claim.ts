import { verifyQuotes, type Evidence } from '@agonhq/engine/evidence';
import type { Turn } from '@agonhq/engine/debate';
import type { Analysis, ClaimAnswer } from '../analysis.ts';
import { ground, type Grounding } from '../grounding/ground-citation.ts';
import type { NumberPlace } from '../numbers/finding.ts';
import { describePlace, nameStep } from '../view.ts';
import { citeCheck, type CitedCheck } from './cite-check.ts';
import { readTurnParts, type SaidFinding } from './read-turn-parts.ts';

/* An analysis as whoever follows it sees it: every citation led to its place. Runs in a browser. */

/** What a passage is cited for, which colours it. */
export type TraceSide = 'for' | 'against' | 'number' | 'origin' | 'seen';

/** A place of the dossier that something about a claim points to. */
export interface Citation {
  /** Its number among those of the claim, in the order in which they are shown, from 0. */
  index: number;
  /** What was quoted; of a place, what stands there. */
  quote: string;
  /** Null where nothing is to be shown: a struck quotation, a place that is not in the dossier. */
  grounding: Grounding | null;
  /** It is in no source, and decides nothing. */
  struck: boolean;
  /** `page 3`, `sheet Income, C3`; of what is not in the dossier, its source, if any. */
  where: string;
  side: TraceSide;
  /** `premise 1`: who cites it. */
  by: string;
  /** Where on a page it is cited; null for number checks, which stand by themselves. */
  anchor: string | null;
}

/** Something that was said of a claim. Ids are made of positions: nothing untrusted gets into an address. */
interface Said {
  anchor: string;
  citations: readonly Citation[];
}

export interface TracedPremise extends Said {
  number: number;
  premise: string;
}

export interface TracedSearch {
  terms: readonly string[];
  blocksRead: number;
  accepted: boolean;
  found: readonly { term: string; near: boolean; citation: Citation }[];
}

export interface TracedAttack extends Said {
  number: number;
  kind: string;
  point: string;
  /** Which premise it attacks, from 1; 0 for the claim itself. */
  premise: number;
  /** The premise, or the claim with its sentence; null where there is no such premise. */
  target: Said | null;
  missing: readonly string[];
  searches: readonly TracedSearch[];
  /** Whether it still stands after the rebuttal; null when the synthesizer was not heard. */
  stands: boolean | null;
}

export interface TracedReply extends Said {
  attack: number;
  /** Null where there is no such attack. */
  target: TracedAttack | null;
  concedes: boolean;
  point: string;
}

export interface TracedFinding extends Omit<SaidFinding, 'evidence'>, Said {
  name: 'support' | 'contradiction';
}

/** One turn of a claim's debate, whatever its role says; it cites what no part of it does. */
export interface TracedStep extends Said {
  turn: Turn;
  premises: readonly TracedPremise[];
  attacks: readonly TracedAttack[];
  replies: readonly TracedReply[];
  findings: readonly TracedFinding[];
  /** Null for a turn that rules on no attack. */
  standing: readonly number[] | null;
}

/** A claim with its debate, every citation led to its place. */
export interface ClaimTrace {
  number: number;
  anchor: string;
  answer: ClaimAnswer;
  origin: Citation | null;
  verdict: readonly Citation[];
  checks: readonly CitedCheck[];
  steps: readonly TracedStep[];
  /** Searches for an attack that is not there. */
  strays: readonly TracedSearch[];
  /** All of them, by their index. */
  citations: readonly Citation[];
}

/** Follows a claim of an analysis from its sentence to its verdict. */
export function traceClaim(analysis: Analysis, index: number): ClaimTrace {
  const answer = analysis.claims[index]!;
  const anchor = `claim-${index + 1}`;
  const alone = analysis.documents.length === 1;
  const citations: Citation[] = [];
  const cite = (cited: Evidence | NumberPlace, { side, by, anchor: at }: Citing): Citation => {
    const grounding = ground(cited, analysis, answer.numbers);
    const quote = 'quote' in cited ? cited.quote : (grounding?.quote ?? '');
    const citation: Citation = {
      index: citations.length,
      quote,
      grounding,
      struck: 'verified' in cited && !cited.verified,
      where: grounding ? describePlace(grounding, alone) : 'source' in cited ? (cited.source ?? '') : '',
      side,
      by,
      anchor: at,
    };
    citations.push(citation);
    return citation;
  };
  const citeAll = (evidence: readonly Evidence[], citing: Citing) => evidence.map((each) => cite(each, citing));
  // A turn lists the quotations of all its parts together: those of a part are looked up anew.
  const checked = new Map<string, Evidence>();
  const verify = (quotes: readonly string[]) =>
    quotes.map((quote) => {
      const evidence = checked.get(quote) ?? verifyQuotes([quote], answer.sources)[0]!;
      checked.set(quote, evidence);
      return evidence;
    });
  const traceSearches = (of: (attack: number) => boolean, at: string): TracedSearch[] =>
    answer.absences
      .filter(({ attack }) => of(attack))
      .map(({ attack, terms, blocksRead, accepted, found }) => ({
        terms,
        blocksRead,
        accepted,
        found: found.map(({ term, near, place, quote }) => ({
          term,
          near,
          citation: cite({ ...place, quote }, { side: 'seen', by: `the search for attack ${attack}`, anchor: at }),
        })),
      }));

  const { origin: sentence } = answer.subject;
  const origin = sentence ? cite(sentence, { side: 'origin', by: 'the claim’s own sentence', anchor }) : null;
  const claim: Said = { anchor, citations: origin ? [origin] : [] };
  const verdict = citeAll(answer.verdict.evidence, {
    side: findVerdictSide(answer.verdict.label),
    by: 'the verdict',
    anchor,
  });
  const checks = answer.numbers
    .toSorted((one, other) => Number(other.outcome === 'conflict') - Number(one.outcome === 'conflict'))
    .map((finding) => {
      const side = finding.outcome === 'conflict' ? 'against' : 'number';
      return citeCheck(finding, (place) => cite(place, { side, by: 'a number check', anchor: null }));
    });

  const turns = answer.transcript.filter((entry) => entry.kind === 'turn');
  const standing = turns.map(readTurnParts).findLast(({ support }) => support !== null)?.standing ?? null;
  const premises: TracedPremise[] = [];
  const attacks: TracedAttack[] = [];
  let replies = 0;
  const steps = turns.map((turn, position): TracedStep => {
    const parts = readTurnParts(turn);
    const turnAnchor = `${anchor}-turn-${position + 1}`;
    const said = [
      ...parts.premises,
      ...parts.attacks,
      ...parts.replies,
      ...[parts.support, parts.contradiction].filter((finding) => finding !== null),
    ];
    const quoted = new Set(said.flatMap(({ evidence }) => verify(evidence).map(keyOf)));
    const citeFor = (evidence: readonly string[], side: TraceSide, by: string, at: string): Said => ({
      anchor: at,
      citations: citeAll(verify(evidence), { side, by, anchor: at }),
    });
    const ownPremises = parts.premises.map(({ premise, evidence }, at): TracedPremise => {
      const number = premises.length + at + 1;
      return { number, premise, ...citeFor(evidence, 'for', `premise ${number}`, `${anchor}-premise-${number}`) };
    });
    premises.push(...ownPremises);
    const ownAttacks = parts.attacks.map(({ evidence, ...attack }, at): TracedAttack => {
      const number = attacks.length + at + 1;
      const words = citeFor(evidence, 'against', `attack ${number}`, `${anchor}-attack-${number}`);
      return {
        ...attack,
        ...words,
        number,
        target: attack.premise === 0 ? claim : (premises[attack.premise - 1] ?? null),
        stands: standing && standing.includes(number),
        searches: traceSearches((of) => of === number, words.anchor),
      };
    });
    attacks.push(...ownAttacks);
    return {
      turn,
      premises: ownPremises,
      attacks: ownAttacks,
      replies: parts.replies.map(({ evidence, ...reply }): TracedReply => {
        const at = `${anchor}-reply-${(replies += 1)}`;
        return {
          ...reply,
          ...citeFor(evidence, 'for', `the reply to attack ${reply.attack}`, at),
          target: attacks[reply.attack - 1] ?? null,
        };
      }),
      findings: (['support', 'contradiction'] as const).flatMap((name): TracedFinding[] => {
        const finding = parts[name];
        if (!finding) return [];
        const { evidence, ...rest } = finding;
        const side = finding.holds ? (name === 'support' ? 'for' : 'against') : 'seen';
        return [{ name, ...rest, ...citeFor(evidence, side, `the ${name} that was found`, `${turnAnchor}-${name}`) }];
      }),
      standing: parts.support ? parts.standing : null,
      anchor: turnAnchor,
      citations: citeAll(
        turn.evidence.filter((evidence) => !quoted.has(keyOf(evidence))),
        { side: 'seen', by: nameStep(turn.key).toLowerCase(), anchor: turnAnchor },
      ),
    };
  });
  const strays = traceSearches((of) => !attacks.some(({ number }) => number === of), anchor);
  return { number: index + 1, anchor, answer, origin, verdict, checks, steps, strays, citations };
}

type Citing = Pick<Citation, 'side' | 'by' | 'anchor'>;

function findVerdictSide(label: string): TraceSide {
  if (label === 'verified-strong' || label === 'supported') return 'for';
  return label === 'contradicted' ? 'against' : 'seen';
}

function keyOf(evidence: Evidence): string {
  return JSON.stringify(evidence.verified ? [evidence.source, evidence.start, evidence.end] : [evidence.quote]);
}
