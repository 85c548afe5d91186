import type { CaseFile, Question } from '../../../debate/index.ts';
import type { DocumentCaseFile, OutlookCaseFile, ZeroShotCaseFile } from '../../../jobs/documents/index.ts';
import { answerAffirmative } from './affirmative.ts';
import { answerDissenting } from './dissenting.ts';
import { answerFactorAgent } from './factor-agent.ts';
import { answerOutlook, answerZeroShot } from './outlook.ts';
import { answerSynthesizer } from './synthesizer.ts';

export { documentWeights, type Signal, type Weighed } from './weighing/signal.ts';
export { weighClaim } from './weighing/weigh-claim.ts';
import { isDocumentCase } from './prose.ts';

export { isDocumentCase, readJudgedProse, showsItsLanguage, waitForOwnTurn } from './prose.ts';

type Answerer = (question: Question) => Promise<unknown>;

/** A role argues about one kind of case: whatever else it is asked about is a mistake in our code. */
function arguing<Case extends CaseFile>(
  isCase: (caseFile: CaseFile) => caseFile is Case,
  answer: (question: Question<Case>) => Promise<unknown>,
): Answerer {
  return (question) => {
    const { caseFile } = question;
    if (!isCase(caseFile)) throw new TypeError('The case is not one that this role argues about.');
    return answer({ ...question, caseFile });
  };
}

const isClaimCase = (caseFile: CaseFile): caseFile is DocumentCaseFile =>
  isDocumentCase(caseFile) && 'claim' in caseFile;
const isOutlookCase = (caseFile: CaseFile): caseFile is OutlookCaseFile =>
  isDocumentCase(caseFile) && 'claims' in caseFile && 'label' in caseFile;
const isZeroShotCase = (caseFile: CaseFile): caseFile is ZeroShotCaseFile =>
  isDocumentCase(caseFile) && 'claims' in caseFile;

/**
 * How each role argues about a document, by its id. They are code over its words, numbers and tables: no model is
 * asked.
 */
export const documentRoles: Record<string, Answerer> = {
  'factor-agent': arguing(isDocumentCase, answerFactorAgent),
  affirmative: arguing(isClaimCase, answerAffirmative),
  dissenting: arguing(isClaimCase, answerDissenting),
  synthesizer: arguing(isClaimCase, answerSynthesizer),
  single: arguing(isClaimCase, answerSynthesizer),
  outlook: arguing(isOutlookCase, answerOutlook),
  'zero-shot': arguing(isZeroShotCase, answerZeroShot),
};
