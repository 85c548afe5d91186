import { verifyQuotes } from '@agonhq/engine/evidence';
import { ground } from '@agonhq/documents/grounding/ground-citation';
import { describePlace } from '@agonhq/documents/view';
import { citeCheck, type CitedCheck } from './cite-check.ts';
import { readTurnParts, type SaidFinding } from './read-turn-parts.ts';
import type { Analysis, Citation, ClaimAnswer, Evidence, NumberPlace, TraceSide, Turn } from './types.ts';

export interface TracedPremise {
  number: number;
  premise: string;
  citations: readonly Citation[];
}

export interface Search {
  terms: readonly string[];
  blocksRead: number;
  accepted: boolean;
  found: readonly { term: string; near: boolean; citation: Citation }[];
}

export interface TracedAttack {
  number: number;
  kind: string;
  point: string;
  /** Which premise it attacks, from 1; 0 for the claim itself. */
  premise: number;
  missing: readonly string[];
  searches: readonly Search[];
  citations: readonly Citation[];
  /** Whether it still stands after the rebuttal; null when the synthesizer was not heard. */
  stands: boolean | null;
}

export interface TracedReply {
  attack: number;
  concedes: boolean;
  point: string;
  citations: readonly Citation[];
}

export interface TracedFinding extends Omit<SaidFinding, 'evidence'> {
  name: 'support' | 'contradiction';
  citations: readonly Citation[];
}

/** One turn of a claim's debate, whatever its role says. */
export interface TracedStep {
  turn: Turn;
  premises: readonly TracedPremise[];
  attacks: readonly TracedAttack[];
  replies: readonly TracedReply[];
  findings: readonly TracedFinding[];
  /** Null for a turn that rules on no attack. */
  standing: readonly number[] | null;
  /** What it quotes beside all that. */
  citations: readonly Citation[];
}

/** A claim with its debate, every citation led to its place. */
export interface ClaimTrace {
  number: number;
  answer: ClaimAnswer;
  origin: Citation | null;
  verdict: readonly Citation[];
  checks: readonly CitedCheck[];
  steps: readonly TracedStep[];
  /** All of them, by their index. */
  citations: readonly Citation[];
}

/** Follows a claim of an analysis from its sentence to its verdict. */
export function traceClaim(analysis: Analysis, index: number): ClaimTrace {
  const answer = analysis.claims[index]!;
  const alone = analysis.documents.length === 1;
  const citations: Citation[] = [];
  const cite = (cited: Evidence | NumberPlace, side: TraceSide, by: string): Citation => {
    const grounding = ground(cited, analysis, answer.numbers);
    const quote = 'quote' in cited ? cited.quote : (grounding?.quote ?? '');
    const citation: Citation = {
      index: citations.length,
      quote,
      grounding,
      struck: 'verified' in cited && !cited.verified,
      where: grounding ? describePlace(grounding, alone) : '',
      side,
      by,
    };
    citations.push(citation);
    return citation;
  };
  const citeAll = (evidence: readonly Evidence[], side: TraceSide, by: string) =>
    evidence.map((each) => cite(each, side, by));
  // A turn lists the quotations of all its parts together: those of a part are looked up anew.
  const checked = new Map<string, Evidence>();
  const verify = (quotes: readonly string[]) =>
    quotes.map((quote) => {
      const evidence = checked.get(quote) ?? verifyQuotes([quote], answer.sources)[0]!;
      checked.set(quote, evidence);
      return evidence;
    });

  const origin = answer.subject.origin ? cite(answer.subject.origin, 'origin', 'the claim’s own sentence') : null;
  const verdict = citeAll(answer.verdict.evidence, verdictSide(answer.verdict.label), 'the verdict');
  const checks = answer.numbers
    .toSorted((one, other) => Number(other.outcome === 'conflict') - Number(one.outcome === 'conflict'))
    .map((finding) =>
      citeCheck(finding, (place) =>
        cite(place, finding.outcome === 'conflict' ? 'against' : 'number', 'a number check'),
      ),
    );

  const turns = answer.transcript.filter((entry) => entry.kind === 'turn');
  const standing = turns.map(readTurnParts).findLast(({ support }) => support !== null)?.standing ?? null;
  let premises = 0;
  let attacks = 0;
  const steps = turns.map((turn): TracedStep => {
    const parts = readTurnParts(turn);
    const said = [
      ...parts.premises,
      ...parts.attacks,
      ...parts.replies,
      ...[parts.support, parts.contradiction].filter((finding) => finding !== null),
    ];
    const quoted = new Set(said.flatMap(({ evidence }) => verify(evidence).map(evidenceKey)));
    return {
      turn,
      premises: parts.premises.map(({ premise, evidence }) => {
        const number = (premises += 1);
        return { number, premise, citations: citeAll(verify(evidence), 'for', `premise ${number}`) };
      }),
      attacks: parts.attacks.map(({ evidence, ...attack }) => {
        const number = (attacks += 1);
        return {
          ...attack,
          number,
          stands: standing && standing.includes(number),
          citations: citeAll(verify(evidence), 'against', `attack ${number}`),
          searches: answer.absences
            .filter((search) => search.attack === number)
            .map(({ terms, blocksRead, accepted, found }) => ({
              terms,
              blocksRead,
              accepted,
              found: found.map(({ term, near, place }) => ({
                term,
                near,
                citation: cite(place, 'seen', `the search for attack ${number}`),
              })),
            })),
        };
      }),
      replies: parts.replies.map(({ evidence, ...reply }) => ({
        ...reply,
        citations: citeAll(verify(evidence), 'for', `the reply to attack ${reply.attack}`),
      })),
      findings: (['support', 'contradiction'] as const).flatMap((name): TracedFinding[] => {
        const finding = parts[name];
        if (!finding) return [];
        const { evidence, ...rest } = finding;
        return [
          {
            name,
            ...rest,
            citations: citeAll(
              verify(evidence),
              finding.holds ? (name === 'support' ? 'for' : 'against') : 'seen',
              name === 'support' ? 'the support that was found' : 'the contradiction that was found',
            ),
          },
        ];
      }),
      standing: parts.support ? parts.standing : null,
      citations: citeAll(
        turn.evidence.filter((evidence) => !quoted.has(evidenceKey(evidence))),
        'seen',
        'this turn',
      ),
    };
  });
  return { number: index + 1, answer, origin, verdict, checks, steps, citations };
}

function verdictSide(label: string): TraceSide {
  if (label === 'verified-strong' || label === 'supported') return 'for';
  return label === 'contradicted' ? 'against' : 'seen';
}

function evidenceKey(evidence: Evidence): string {
  return JSON.stringify(evidence.verified ? [evidence.source, evidence.start, evidence.end] : [evidence.quote]);
}
