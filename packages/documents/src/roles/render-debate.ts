import { findEvidence, type Transcript } from '@agonhq/engine/debate';
import type { Source } from '@agonhq/engine/evidence';
import { speakers } from '../answers.ts';
import { findHeardTurn, listAttacks, type Attack } from '../grounding/list-attacks.ts';
import { quoteEach } from './case-prompt.ts';
import { toOneLine } from '@agonhq/engine/text';

/* What was said, as the others read it: numbered, one line each, with the quotes that were not struck. */

export function renderOpening(transcript: Transcript): string {
  const turn = findHeardTurn(transcript, speakers.opening);
  if (!turn) return 'affirmative: gave no answer.';
  const { statement, premises } = turn.answer;
  const struck = new Set(turn.evidence.filter(({ verified }) => !verified).map(({ quote }) => quote));
  const lines = premises.map(
    ({ premise, evidence }, index) =>
      `premise ${index + 1}: ${toOneLine(premise)}${quoteEach(evidence.filter((quote) => !struck.has(quote)))}`,
  );
  return [`affirmative: ${toOneLine(statement)}`, ...lines].join('\n');
}

export function renderAttacks(transcript: Transcript, sources: readonly Source[]): string {
  const turn = findHeardTurn(transcript, speakers.dissenting);
  if (!turn) return 'dissenting: gave no answer.';
  const attacks = listAttacks(transcript, sources);
  const lines = attacks.map((attack) => {
    const at = attack.premise === 0 ? 'the claim' : `premise ${attack.premise}`;
    const quotes = quoteEach(attack.evidence.map(({ quote }) => quote));
    const named = `attack ${attack.number} on ${at}, ${attack.kind}`;
    return `${named}: ${toOneLine(attack.point)}${quotes}${renderOutcome(attack)}`;
  });
  return [`dissenting: ${toOneLine(turn.statement)}`, ...(lines.length > 0 ? lines : ['No attack.'])].join('\n');
}

function renderOutcome({ struck, search }: Attack): string {
  if (struck !== null) return ` STRUCK BY CODE: ${toOneLine(struck)}`;
  if (search?.accepted)
    return (
      ` CONFIRMED BY CODE: ${search.terms.map((term) => JSON.stringify(toOneLine(term))).join(', ')} in none ` +
      `of ${search.blocksRead} blocks`
    );
  return '';
}

export function renderRebuttal(transcript: Transcript, sources: readonly Source[]): string {
  const turn = findHeardTurn(transcript, speakers.rebuttal);
  if (!turn) return 'affirmative, rebuttal: gave no answer.';
  const { statement, replies } = turn.answer;
  const lines = replies.map(({ attack, concedes, point, evidence }) => {
    const quotes = quoteEach(findEvidence(turn, speakers.rebuttal, evidence, sources).map(({ quote }) => quote));
    return `reply to attack ${attack}${concedes ? ', conceded' : ''}: ${toOneLine(point)}${quotes}`;
  });
  return [`affirmative, rebuttal: ${toOneLine(statement)}`, ...lines].join('\n');
}
