import type { DocumentCaseFile } from '../case-file.ts';
import { findEvidence, type Question, type Role, type Transcript } from '@agonhq/engine/debate';
import { speakers, type Synthesis, type CrossExamination, type Opening, type Rebuttal } from '../answers.ts';
import { createClaimRole, quoteEach, type RoleContext } from './case-prompt.ts';
import type { Source } from '@agonhq/engine/evidence';
import { findHeardTurn, listAttacks, type Attack } from '../grounding/list-attacks.ts';
import { toOneLine } from '@agonhq/engine/text';

/** Opens: why the claim is true, premise by premise, each with its citations. */
export function opening(context: RoleContext): Role<Opening, DocumentCaseFile> {
  return createClaimRole(context, {
    ...speakers.opening,
    schemaName: 'opening',
    maxOutputTokens: 900,
    task:
      'You are the affirmative. Make the best case from the document that the claim is true: premises that ' +
      'together carry all of it (its cause, its numbers, its period, its scope), each with the quotes it stands ' +
      'on, ' +
      'better from elsewhere than from the sentence the claim was taken from. Overlook no number finding. score: ' +
      'how far the document supports the claim, 0 to 1.',
    fallback: { statement: 'No answer.', premises: [], score: 0.5 },
  });
}

/** Cross-examines the opening, premise by premise. */
export function dissenting(context: RoleContext): Role<CrossExamination, DocumentCaseFile> {
  return createClaimRole(context, {
    ...speakers.dissenting,
    schemaName: 'cross-examination',
    maxOutputTokens: 900,
    said: ({ transcript }) => renderOpening(transcript),
    task:
      'You are the dissenting member, a critical auditor. Cross-examine the opening premise by premise (premise: ' +
      'its number, 0 for the claim itself). kind: fallacy, outlier (negative data that does not fit), ' +
      'contradiction (the document says otherwise), ' +
      'missing-data, alternative-explanation. Your job is to attack: find the weakest points, do not agree. Quote ' +
      'the document for each, and bring nothing from outside it. ' +
      'For an absence give in missing the words that would have to be there ("profit margin", "churn"): code ' +
      'searches the whole document for them, and strikes the attack if they are there; otherwise missing is ' +
      'empty. ' +
      'score: how far the document supports the claim, 0 to 1.',
    fallback: { statement: 'No answer.', attacks: [], score: 0.5 },
  });
}

/** Answers the cross-examination attack by attack, or concedes. */
export function rebuttal(context: RoleContext): Role<Rebuttal, DocumentCaseFile> {
  return createClaimRole(context, {
    ...speakers.rebuttal,
    schemaName: 'rebuttal',
    maxOutputTokens: 900,
    said: ({ transcript, caseFile }) =>
      [renderOpening(transcript), renderAttacks(transcript, caseFile.sources)].join('\n'),
    task:
      'You are the affirmative, in rebuttal. Answer every attack by its number: refute it with quotes, or concede ' +
      'it (concedes: true) where it found a valid flaw; a valid flaw must be acknowledged. ' +
      'Struck attacks need no answer. score: how far the document supports the claim now, 0 to 1.',
    fallback: { statement: 'No answer.', replies: [], score: 0.5 },
  });
}

const findings =
  'support holds when the document itself says so, directly: full for all of the claim (cause, numbers, period, ' +
  'scope), partial for some, none otherwise. ' +
  'contradiction holds when the document itself says otherwise. Give each a reason (why) and quotes; what cannot ' +
  'be quoted does not hold. ' +
  'confidence: in your findings. score: how far the document supports the claim, 0 to 1.';

const fallback: Synthesis = {
  statement: 'No answer.',
  support: { why: '', evidence: [], holds: false, strength: 'none' },
  contradiction: { why: '', evidence: [], holds: false },
  standing: [],
  confidence: 0,
  score: 0.5,
};

/** Judges the strength of the arguments; code decides from its findings. */
export function synthesizer(context: RoleContext): Role<Synthesis, DocumentCaseFile> {
  return createClaimRole(context, {
    ...speakers.synthesizer,
    schemaName: 'synthesis',
    maxOutputTokens: 900,
    said: ({ transcript, caseFile }) =>
      [
        renderOpening(transcript),
        renderAttacks(transcript, caseFile.sources),
        renderRebuttal(transcript, caseFile.sources),
      ].join('\n'),
    task:
      'You are the synthesizer. The debate is over: judge the strength of its arguments, do not summarise. ' +
      `${findings} standing: the numbers of the attacks that still stand after the rebuttal; never a struck one.`,
    fallback,
  });
}

const alone = `You are a single examiner. Say what the document says of the claim. ${findings} standing: empty.`;

/** One check of a claim without a debate. */
export function single(context: RoleContext): Role<Synthesis, DocumentCaseFile> {
  return examiner(context, alone);
}

/** One of several votes; its number keeps two votes of one model from sharing a cached answer. */
export function votingExaminer(context: RoleContext): Role<Synthesis, DocumentCaseFile> {
  return examiner(
    context,
    ({ seat, round }) => `${alone} ${round === null ? `Your seat: ${seat}.` : `Vote ${round}.`}`,
  );
}

function examiner(
  context: RoleContext,
  task: string | ((question: Question<DocumentCaseFile>) => string),
): Role<Synthesis, DocumentCaseFile> {
  return createClaimRole(context, {
    ...speakers.examiner,
    schemaName: 'synthesis',
    maxOutputTokens: 900,
    task,
    fallback,
  });
}

/* What was said, as the others read it: numbered, one line each, with the quotes that were not struck. */

function renderOpening(transcript: Transcript): string {
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

function renderAttacks(transcript: Transcript, sources: readonly Source[]): string {
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

function renderRebuttal(transcript: Transcript, sources: readonly Source[]): string {
  const turn = findHeardTurn(transcript, speakers.rebuttal);
  if (!turn) return 'affirmative, rebuttal: gave no answer.';
  const { statement, replies } = turn.answer;
  const lines = replies.map(({ attack, concedes, point, evidence }) => {
    const quotes = quoteEach(findEvidence(turn, speakers.rebuttal, evidence, sources).map(({ quote }) => quote));
    return `reply to attack ${attack}${concedes ? ', conceded' : ''}: ${toOneLine(point)}${quotes}`;
  });
  return [`affirmative, rebuttal: ${toOneLine(statement)}`, ...lines].join('\n');
}
