import { nameSpeaker } from '../../../view/index.ts';
import { isObservation, findTurns } from '../../../debate/index.ts';
import { verifyQuotes, type Evidence } from '../../../evidence/index.ts';
import {
  anchorTurn,
  collectCitations,
  type Citations,
  type Quotation,
  type PassageWords,
} from '../../../reports/index.ts';
import { voteOf } from './judges.ts';
import { findingsOf, sideOf, type ModerationAnswer, type Side } from './moderation-answer.ts';
import { seatOfRound } from './words.ts';

/** What a moderation's passages are quoted for, in words. */
export const passageWords: PassageWords = {
  names: { risk: 'risk', exoneration: 'exoneration' },
  legend: [
    ['risk', 'quoted for the risk'],
    ['exoneration', 'quoted for exoneration'],
    ['both', 'quoted by both sides'],
  ],
};

/** The quoted passages of a moderation, and who quotes them for what. */
export function moderationCitations(answer: ModerationAnswer): Citations {
  return collectCitations(answer.sources, quotations(answer));
}

function* quotations(answer: ModerationAnswer): Generator<Quotation> {
  for (const turn of findTurns(answer.transcript)) {
    const judge = turn.role === 'judge';
    const side = judge ? (voteOf(turn) === 'unsafe' ? 'risk' : 'exoneration') : sideOf(turn.role);
    const quoter = { anchor: anchorTurn(answer, turn), speaker: judge ? seatOfRound(turn) : nameSpeaker(turn) };
    if (side) yield* turn.evidence.map((evidence) => ({ evidence, quoter: { ...quoter, side } }));
  }
  for (const side of ['exoneration', 'risk'] as const) {
    const quoter = { anchor: side === 'exoneration' ? 'rule-1' : 'rule-2', speaker: 'Arbiter', side };
    yield* findingEvidence(answer, side).map((evidence) => ({ evidence, quoter }));
  }
  const quoter = {
    anchor: 'verdict',
    speaker: 'Verdict',
    side: answer.verdict.label === 'safe' ? ('exoneration' as const) : ('risk' as const),
  };
  yield* answer.verdict.evidence.map((evidence) => ({ evidence, quoter }));
}

/** The evidence of one of the arbiter's findings: its turn has that of both, so it is told apart by checking anew. */
export function findingEvidence(answer: ModerationAnswer, side: Side): Evidence[] {
  const quotable = answer.sources.filter((source) => !isObservation(source) || source.tool !== 'placeholder');
  return verifyQuotes(findingsOf(answer)?.[side].evidence ?? [], quotable);
}
