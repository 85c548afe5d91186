import { lazy, Suspense } from 'react';
import type { EvaluationAnswer, ModerationAnswer } from '../../api/types.ts';
import { Card, Section } from '../../components/card.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { DebateView } from '../../trial/debate-view.tsx';
import { listRuleSteps } from '../../trial/ladder.ts';
import { RuleSteps } from '../../trial/rule-ladder.tsx';
import { collectScores } from '../../trial/trajectory-points.ts';
import { ScoreChart } from '../../trial/trajectory.tsx';
import type { TrialView } from '../../trial/trial-view.ts';
import { methodWords } from '../../trial/trial-words.ts';

const ConceptTriangle = lazy(async () => ({
  default: (await import('../../components/concept-triangle.tsx')).ConceptTriangle,
}));

/** How it was decided: the rules, the scores over the rounds, what everybody said. */
export function TrialTab({ view, answer }: { view: TrialView; answer: ModerationAnswer | EvaluationAnswer }) {
  const method = methodWords(view.job, view.method ?? 'debate');
  return (
    <>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Section title="The rules">
          <Card>
            {listRuleSteps(view) ? (
              <RuleSteps view={view} />
            ) : (
              <p>
                <strong className="font-medium">{method.title}.</strong> {method.how}
              </p>
            )}
          </Card>
        </Section>
        {collectScores(view).series.length > 0 && (
          <Section title="The scores">
            <Card>
              <ScoreChart view={view} />
            </Card>
          </Section>
        )}
      </div>
      {answer.job === 'evaluation' && answer.verdict.distribution !== null && (
        <Section
          title="The risk concepts"
          lead="Where each role saw the risk, round by round: explicit, implicit or none."
        >
          <Card>
            <Suspense fallback={<Skeleton className="h-80 w-full" />}>
              <ConceptTriangle answer={answer} />
            </Suspense>
          </Card>
        </Section>
      )}
      <Section title={view.method === null || view.method === 'debate' ? 'Both sides' : 'What was said'}>
        <DebateView view={view} />
      </Section>
    </>
  );
}
