import type { DocumentCaseFile } from '../case-file.ts';
import type { Role } from '../../../debate/index.ts';
import { speakers, type CrossExamination } from '../answers.ts';
import { type RoleContext, createClaimRole } from './case-prompt.ts';
import { renderOpening } from './render-debate.ts';

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
