import type { CaseFile, Question, RoleKey } from '@agonhq/engine/debate';
import { documentSpeakers, type Claim, type Dossier } from '@agonhq/documents';
import { answerOpening, answerRebuttal } from './affirmative.ts';
import { answerDissenting } from './dissenting.ts';
import { answerFactorAgent } from './factor-agent.ts';
import { answerOutlook, answerZeroShot } from './outlook.ts';
import { findForeignLanguage } from '../language/route-language.ts';
import { readJudgedProse, showsItsLanguage, waitForOwnTurn } from './prose.ts';
import { answerSynthesizer } from './synthesizer.ts';

interface DocumentCase extends CaseFile {
  dossier: Dossier;
  claim?: Claim;
}

/** How each role argues about a document, by code alone; its language is found out once for all its claims. */
export function documentParts() {
  function part<Answer, Case extends DocumentCase>(
    role: RoleKey<Answer>,
    answer: (question: Question<Case>) => Promise<Answer>,
  ) {
    return {
      role,
      async argue(question: Question<Case>) {
        // No model is waited for: a long document would leave no turn to others.
        await waitForOwnTurn();
        return answer(question);
      },
      findLanguage: (caseFile: Case) =>
        findForeignLanguage(showsItsLanguage(caseFile.dossier) ? caseFile.dossier : caseFile, () => [
          { text: readJudgedProse(caseFile) },
        ]),
    };
  }
  const { factorAgent, opening, dissenting, rebuttal, synthesizer, examiner, outlook, zeroShot } = documentSpeakers;
  return [
    part(factorAgent, answerFactorAgent),
    part(opening, answerOpening),
    part(dissenting, answerDissenting),
    part(rebuttal, answerRebuttal),
    part(synthesizer, answerSynthesizer),
    part(examiner, answerSynthesizer),
    part(outlook, answerOutlook),
    part(zeroShot, answerZeroShot),
  ];
}
