import type { DocumentCaseFile } from '../case-file.ts';
import type { Role } from '../../../debate/index.ts';
import { speakers, type Opening, type Rebuttal } from '../answers.ts';
import { type RoleContext, createClaimRole } from './case-prompt.ts';
import { renderAttacks, renderOpening } from './render-debate.ts';

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
