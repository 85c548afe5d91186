import type { AnswerVerifier, GivenEvidence } from '../../src/bundle/check-case.ts';
import type { Answer, Check } from '../../src/debate/index.ts';
import { readAnalysis } from '../../src/jobs/documents/analysis-schema.ts';
import type { Analysis } from '../../src/jobs/documents/index.ts';
import { verifyAnalysis } from '../../src/jobs/documents/verify-analysis.ts';
import { readEvaluationAnswer } from '../../src/jobs/evaluation/evaluation-answer.ts';
import { verifyEvaluation } from '../../src/jobs/evaluation/verify-evaluation.ts';
import type { JobAnswer } from '../../src/jobs/index.ts';
import { readModerationAnswer } from '../../src/jobs/moderation/moderation-answer.ts';
import { verifyAnswer } from '../../src/jobs/moderation/verify-answer.ts';

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
