import { findTurns } from '../../../debate/index.ts';
import { verifyQuotes, type Evidence } from '../../../evidence/index.ts';
import {
  anchorTurn,
  collectCitations,
  type Citations,
  type Quotation,
  type Side,
  type PassageWords,
} from '../../../reports/index.ts';
import { stanceOf, type ReadableAnswer, type Stance } from './readable-answer.ts';
import { seatOfRound } from './words.ts';

/** What an evaluation's passages are quoted for, in words. */
export const passageWords: PassageWords = {
  names: { risk: 'explicit risk', implicit: 'implicit risk', exoneration: 'no risk' },
  legend: [
    ['risk', 'quoted for an explicit risk'],
    ['implicit', 'quoted for an implicit risk'],
    ['exoneration', 'quoted by those who see no risk'],
    ['both', 'quoted for different reasons'],
  ],
};

/** The quoted passages of an evaluation, and who quotes them for what. */
export function evaluationCitations(answer: ReadableAnswer): Citations {
  return collectCitations(answer.sources, quotations(answer));
}

function* quotations(answer: ReadableAnswer): Generator<Quotation> {
  for (const turn of findTurns(answer.transcript).filter(({ role }) => role !== 'arbiter')) {
    const quoter = { anchor: anchorTurn(answer, turn), speaker: seatOfRound(turn), side: sideOf(stanceOf(turn)) };
    yield* turn.evidence.map((evidence) => ({ evidence, quoter }));
  }
  for (const [concept, anchor] of [
    ['explicit', 'rule-1'],
    ['implicit', 'rule-2'],
  ] as const) {
    const side = sideFor(findingsOf(answer)?.[concept]?.holds ? 'unsafe' : 'safe', concept);
    yield* findingEvidence(answer, concept).map((evidence) => ({
      evidence,
      quoter: { anchor, speaker: 'Arbiter', side },
    }));
  }
  const { label, concept } = answer.verdict;
  const quoter = { anchor: 'verdict', speaker: 'Verdict', side: sideFor(label, concept) };
  yield* answer.verdict.evidence.map((evidence) => ({ evidence, quoter }));
}

function sideOf({ label, distribution }: Stance): Side {
  return sideFor(label, distribution && distribution.implicit > distribution.explicit ? 'implicit' : 'explicit');
}

function sideFor(label: string | null, concept: string | null): Side {
  if (label === 'safe') return 'exoneration';
  if (label !== 'unsafe') return 'neutral';
  return concept === 'implicit' ? 'implicit' : 'risk';
}

/** What the arbiter found under each concept; nothing when there was none, or when it was not heard. */
export function findingsOf(answer: ReadableAnswer): Pick<Stance, 'explicit' | 'implicit'> | undefined {
  const turn = findTurns(answer.transcript).findLast(({ role }) => role === 'arbiter');
  return turn && !turn.fallback ? stanceOf(turn) : undefined;
}

/** The evidence of one of the arbiter's findings: its turn has that of both, so it is told apart by checking anew. */
export function findingEvidence(answer: ReadableAnswer, concept: 'explicit' | 'implicit'): Evidence[] {
  return verifyQuotes(findingsOf(answer)?.[concept]?.evidence ?? [], answer.sources);
}
