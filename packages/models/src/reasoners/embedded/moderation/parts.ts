import type { CaseFile, Question, RoleKey } from '@agonhq/engine/debate';
import { moderationRoles } from '@agonhq/judges/moderation';
import { lessonSchema } from '../../../precedents/lesson.ts';
import { routeContent } from '../language/route-language.ts';
import { curatorAnswer } from '../learning/curator.ts';
import type { EmbeddedPart } from '../part.ts';
import type { PolicyReader } from '../policy/policy-reader.ts';
import type { Weights } from '../weights.ts';
import { arbitrateContent } from './arbiter.ts';
import { looseAnswer, strictAnswer } from './debaters.ts';
import type { ModerationKit } from './deliberation.ts';
import { judgeReadContent } from './judge.ts';
import { supporterAnswer } from './supporter.ts';

/** What somebody says in another language is not judged; nobody judges a brief. */
const anyLanguage = async () => null;

export function moderationParts(policy: PolicyReader, weights: Weights, glanceBelow: number | null): EmbeddedPart[] {
  const { supporter, strictDebater, looseDebater, arbiter, judge } = moderationRoles;
  const findLanguage = async (caseFile: CaseFile) => (await routeContent(caseFile)).unjudged;
  function part<Answer, Case extends CaseFile>(
    role: RoleKey<Answer>,
    answer: (question: Question<Case>, kit: ModerationKit) => Promise<Answer>,
  ): EmbeddedPart<Answer, Case> {
    const argue = async (question: Question<Case>, signal: AbortSignal) =>
      answer(question, {
        guard: await (await routeContent(question.caseFile)).open(),
        weights,
        clauses: policy.clauses,
        policy,
        glanceBelow,
        signal,
      });
    return { role, argue, findLanguage };
  }
  return [
    { ...part(supporter, supporterAnswer), findLanguage: anyLanguage },
    part(strictDebater, strictAnswer),
    part(looseDebater, looseAnswer),
    { ...part(arbiter, arbitrateContent), decides: true },
    { ...part(judge, judgeReadContent), decides: true },
    part({ id: 'curator', schema: lessonSchema }, curatorAnswer),
  ];
}
