import { useMemo, lazy, Suspense } from 'react';
import type { CaseRecord, EvaluationAnswer, ModerationAnswer } from '../../api/types.ts';
import { Card, Section } from '../../components/card.tsx';
import { TabPanel, Tabs } from '../../components/tabs.tsx';
import { oneOf, useSearchState } from '../../routing/search.ts';
import { PointingProvider } from '../../trial/quote-list.tsx';
import { SubjectView } from '../../trial/subject-view.tsx';
import { trialFromAnswer, type JudgedImage, type TrialView } from '../../trial/trial-view.ts';
import { VerdictBanner } from '../../trial/verdict-banner.tsx';
import { attachmentPath } from './case-queries.ts';
import { Decisions } from './decisions.tsx';
import { CaseReports, UsageView, Provenance } from './record-tab.tsx';
import { PrecedentsTab } from '../../jobs/moderation/precedents-tab.tsx';
import { Retrials, SimilarCases } from './related-cases.tsx';
import { Skeleton } from '../../components/placeholders.tsx';
import { DebateView } from '../../trial/debate-view.tsx';
import { listRuleSteps } from '../../trial/list-rule-steps.ts';
import { RuleSteps } from '../../trial/rule-steps.tsx';
import { collectScores, ScoreChart } from '../../trial/score-chart.tsx';
import { methodWords } from '../../trial/trial-words.ts';

const tabs = ['trial', 'precedents', 'similar', 'people', 'record'] as const;

/** A moderation or an evaluation: what was judged and decided above, how and by what below. */
export function JudgedCase({ record, answer }: { record: CaseRecord; answer: ModerationAnswer | EvaluationAnswer }) {
  const [tab, change] = useSearchState((raw) => oneOf(tabs, raw['tab']) ?? 'trial');
  const view = useMemo(() => trialFromAnswer(answer), [answer]);
  const kept = new Set(record.attachments.map(({ hash }) => hash));
  const imageUrl = ({ hash }: JudgedImage) =>
    hash !== null && kept.has(hash) ? attachmentPath(record.id, hash) : null;
  const count = (number: number) => (number > 0 ? ` (${number})` : '');
  return (
    <PointingProvider>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Section title="What was judged">
          <Card
            className="max-h-[55dvh] overflow-y-auto lg:max-h-[70dvh]"
            data-pane
            tabIndex={0}
            role="region"
            aria-label="What was judged"
          >
            <SubjectView view={view} imageUrl={imageUrl} />
          </Card>
        </Section>
        <Section title="What was decided">
          <VerdictBanner view={view} headingLevel="h3" />
        </Section>
      </div>
      <Tabs
        label="The case"
        value={tab}
        onChange={(name) => change({ tab: name === 'trial' ? undefined : name })}
        tabs={[
          { name: 'trial', label: 'Trial' },
          { name: 'precedents', label: `Precedents${count(answer.precedents.length)}` },
          { name: 'similar', label: 'Similar cases' },
          { name: 'people', label: `Decisions and retrials${count(record.decisions.length + record.retrials.length)}` },
          { name: 'record', label: 'Record' },
        ]}
      >
        <TabPanel name="trial">
          <TrialTab view={view} answer={answer} />
        </TabPanel>
        <TabPanel name="precedents">
          <PrecedentsTab answer={answer} />
        </TabPanel>
        <TabPanel name="similar">
          <SimilarCases id={record.id} />
        </TabPanel>
        <TabPanel name="people">
          <Decisions record={record} />
          <Retrials record={record} />
        </TabPanel>
        <TabPanel name="record">
          <CaseReports record={record} />
          <UsageView usage={answer.usage} />
          <Provenance answer={answer} />
        </TabPanel>
      </Tabs>
    </PointingProvider>
  );
}

const ConceptTriangle = lazy(async () => ({
  default: (await import('../../jobs/evaluation/concept-triangle.tsx')).ConceptTriangle,
}));

/** How it was decided: the rules, the scores over the rounds, what everybody said. */
function TrialTab({ view, answer }: { view: TrialView; answer: ModerationAnswer | EvaluationAnswer }) {
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
