import type { DocumentCaseFile } from '../case-file.ts';
import type { Question, Role } from '../../../debate/index.ts';
import { speakers, type Synthesis } from '../answers.ts';
import { type RoleContext, createClaimRole } from './case-prompt.ts';
import { renderAttacks, renderOpening, renderRebuttal } from './render-debate.ts';

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
      `You are the synthesizer. The debate is over: judge the strength of its arguments, do not summarise. ${findings} ` +
      'standing: the numbers of the attacks that still stand after the rebuttal; never a struck one.',
    fallback,
  });
}

const alone = `You are a single examiner. Say what the document says of the claim. ${findings} standing: empty.`;

/** One check of a claim without a debate. */
export function single(context: RoleContext): Role<Synthesis, DocumentCaseFile> {
  return examiner(context, alone);
}

/**
 * The same as one of several votes, none of which hears another. Its number keeps two votes of one model from sharing
 * a cached answer.
 */
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
