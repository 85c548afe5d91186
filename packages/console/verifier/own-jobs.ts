import type { AnswerVerifier, GivenEvidence } from '@agonhq/ledger/bundle/check-case';
import type { Answer, Check } from '@agonhq/engine/debate';
import { readAnalysis } from '@agonhq/documents/analysis-schema';
import type { Analysis } from '@agonhq/documents';
import { verifyAnalysis } from '@agonhq/documents/verify-analysis';
import { readEvaluationAnswer } from '@agonhq/judges/evaluation/evaluation-answer';
import { verifyEvaluation } from '@agonhq/judges/evaluation/verify-evaluation';
import type { JobAnswer } from '@agonhq/judges/job';
import { readModerationAnswer } from '@agonhq/judges/moderation/moderation-answer';
import { verifyAnswer } from '@agonhq/judges/moderation/verify-answer';

/* The jobs as they are, but for what judges: the page has no use for models, nor for readers of documents. */

const ownJobs: Readonly<Record<string, AnswerVerifier>> = {
  moderation: {
    readAnswer: readModerationAnswer,
    verify: (answer, { policy }) => verifyAnswer(answer as unknown as Answer, policy ? { policy } : {}),
  },
  evaluation: {
    readAnswer: readEvaluationAnswer,
    verify: (answer, { policy }) => verifyEvaluation(answer as unknown as Answer, policy ? { policy } : {}),
  },
  documents: { readAnswer: readAnalysis, verify: verifyDocuments },
};

/** The job of this id, if it is Agon's own. */
export function findOwnJob(id: string): AnswerVerifier | undefined {
  return Object.hasOwn(ownJobs, id) ? ownJobs[id] : undefined;
}

function verifyDocuments(answer: JobAnswer, { files }: GivenEvidence): Check[] {
  const [seal, ...checks] = verifyAnalysis(answer as Analysis);
  const unread: Check = {
    name: 'files',
    outcome: 'not-checked',
    detail: 'this page does not read documents: agon verify reads them again, and holds all of it against them',
  };
  return [seal!, ...(files.size > 0 ? [unread] : []), ...checks];
}
