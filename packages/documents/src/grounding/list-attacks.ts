import { findEvidence, findLastTurn, findValue, type RoleKey, type Transcript, type Turn } from '@agonhq/engine/debate';
import type { Evidence, Source } from '@agonhq/engine/evidence';
import { absencesStep, type AbsenceSearch } from '../analysis.ts';
import { speakers, type CrossExamination } from '../answers.ts';

/** An attack of the dissent with what code knows of it. */
export interface Attack {
  /** From 1. */
  number: number;
  premise: number;
  kind: CrossExamination['attacks'][number]['kind'];
  point: string;
  /** What it quotes of the case file. */
  evidence: readonly Evidence[];
  /** Its absence was looked for. */
  search: AbsenceSearch | null;
  /** Why it counts for nothing; null for one that counts. */
  struck: string | null;
  /** The affirmative concedes it. */
  conceded: boolean;
}

/** The attacks of a debate so far. */
export function listAttacks(transcript: Transcript, sources: readonly Source[]): Attack[] {
  const dissent = findHeardTurn(transcript, speakers.dissenting);
  if (!dissent) return [];
  const searches = findValue(transcript, absencesStep) ?? [];
  const rebuttal = findHeardTurn(transcript, speakers.rebuttal);
  const conceded = new Set(
    (rebuttal?.answer.replies ?? []).filter(({ concedes }) => concedes).map(({ attack }) => attack),
  );
  return dissent.answer.attacks.map(({ premise, kind, point, evidence: quotes }, index) => {
    const number = index + 1;
    const evidence = findEvidence(dissent, speakers.dissenting, quotes, sources);
    const search = searches.find(({ attack }) => attack === number) ?? null;
    const struck = explainStrike(
      kind === 'missing-data' || (search !== null && evidence.length === 0),
      search,
      quotes.length > 0 && evidence.length === 0,
    );
    return { number, premise, kind, point, evidence, search, struck, conceded: conceded.has(number) };
  });
}

/** An absence stands or falls with its search; any other attack that quotes falls with its quotes. */
function explainStrike(
  restsOnAbsence: boolean,
  search: AbsenceSearch | null,
  quotedFromNowhere: boolean,
): string | null {
  if (restsOnAbsence) {
    if (search?.accepted) return null;
    if (!search || search.terms.length === 0) return 'it names no words that would have to be there';
    const [first] = search.found;
    return first
      ? `the document does speak of "${first.term}": ${JSON.stringify(first.quote.slice(0, 200))}`
      : 'the search does not bear it out';
  }
  return quotedFromNowhere ? 'its quotes are in no source' : null;
}

/** A role's turn, unless it fell back. */
export function findHeardTurn<Answer>(transcript: Transcript, role: RoleKey<Answer>): Turn<Answer> | null {
  const turn = findLastTurn(transcript, role);
  return turn && !turn.fallback ? turn : null;
}
