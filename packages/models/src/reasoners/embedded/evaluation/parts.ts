import { findReadableForm, type Question, type RoleKey } from '@agonhq/engine/debate';
import { evaluationRoles, type EvaluationCaseFile } from '@agonhq/judges/evaluation';
import { resemblance } from '../clauses.ts';
import { loadEmbeddings } from '../kept-embeddings.ts';
import { embeddedModel } from '../embedded-model.ts';
import { englishGuards, routeCase } from '../language/route-language.ts';
import type { EmbeddedPart } from '../part.ts';
import type { PolicyReader } from '../policy/policy-reader.ts';
import type { FittedBar } from '../weights.ts';
import { arbitrateExchange } from './arbiter.ts';
import { criticAnswer } from './critic.ts';
import type { ExchangeKit } from './deliberation.ts';
import { auditorAnswer, detectorAnswer, judgeExchange } from './opinions.ts';

export function evaluationParts(policy: PolicyReader, weights: FittedBar): EmbeddedPart[] {
  const { auditor, detector, critic, arbiter, judge } = evaluationRoles;
  // The model's answers: a prompt may be in any tongue, or in none.
  const findRoute = (caseFile: EvaluationCaseFile) =>
    routeCase(
      caseFile,
      () => {
        const answers = caseFile.turns.filter(({ speaker }) => speaker === 'assistant').map(({ source }) => source);
        return caseFile.sources
          .filter(({ id }) => answers.includes(id))
          .map((source) => findReadableForm(source, caseFile.sources));
      },
      englishGuards,
    );
  const findLanguage = async (caseFile: EvaluationCaseFile) => (await findRoute(caseFile)).unjudged;
  function part<Answer>(
    role: RoleKey<Answer>,
    answer: (question: Question<EvaluationCaseFile>, kit: ExchangeKit) => Promise<Answer>,
  ): EmbeddedPart<Answer, EvaluationCaseFile> {
    const argue = async (question: Question<EvaluationCaseFile>, signal: AbortSignal) =>
      answer(question, {
        guard: await (await findRoute(question.caseFile)).open(),
        weights,
        clauses: policy.clauses,
        policy,
        resemblance: async (a, b) => resemblance(a, b, (await loadEmbeddings()).mean),
        signal,
      });
    return { role, argue, findLanguage };
  }
  return [
    part(auditor, auditorAnswer),
    part(detector, detectorAnswer),
    part(critic, criticAnswer),
    { ...part(arbiter, (question, kit) => arbitrateExchange(question, kit, embeddedModel)), decides: true },
    { ...part(judge, judgeExchange), decides: true },
  ];
}
