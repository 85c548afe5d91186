import { Suspense, useMemo } from 'react';
import { attachmentUrl, type SentAnswer, type SentCaseRecord } from '../../api/client.ts';
import { ButtonLink } from '../../components/button.tsx';
import { ContextView } from '../../components/context-view.tsx';
import { Card, Section, Loading, Skeleton } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import type { CaseFigure, ConsoleJob } from '../../jobs/console-job.ts';
import { findConsoleJob } from '../../jobs/index.ts';
import { pickOne, useSearchState } from '../../routing/search.ts';
import { DebateView } from '../../trial/debate-view.tsx';
import { trialFromAnswer } from '../../trial/fold-trial.ts';
import { listRuleSteps, RuleSteps } from '../../trial/rule-steps.tsx';
import { PointingProvider } from '../../trial/pointing.tsx';
import { collectScores, ScoreChart } from '../../trial/score-chart.tsx';
import { SubjectView } from '../../trial/subject-view.tsx';
import type { JudgedFile, TrialView } from '../../trial/trial-view.ts';
import { VerdictBanner } from '../../trial/verdict-banner.tsx';
import { Decisions } from './decisions.tsx';
import { Disclosures, CaseReports, Provenance } from './record-tab.tsx';
import { UsageView } from '../../trial/small-print.tsx';
import { CasesAround, Retrials, SimilarCases } from './related-cases.tsx';

/**
 * What was judged and decided above, how and by what below. A case that has a page of its own is only summed up here.
 */
export function JudgedCase({ record, answer }: { record: SentCaseRecord; answer: SentAnswer }) {
  const job = findConsoleJob(record.job);
  const { CaseSummary } = job.views;
  if (!CaseSummary) return <CaseTabs record={record} answer={answer} job={job} />;
  return (
    <>
      <Section
        title="What was decided"
        actions={
          <ButtonLink to={job.record.page} params={{ id: record.id }} variant="primary">
            {job.record.openTitle}
          </ButtonLink>
        }
      >
        <Suspense fallback={<Skeleton className="h-40 w-full" />}>
          <CaseSummary answer={answer} />
        </Suspense>
      </Section>
      <CaseReports record={record} />
      <Retrials record={record} />
      <Disclosures id={record.id} />
      <UsageView usage={answer.usage} />
      <Provenance answer={answer} />
    </>
  );
}

function CaseTabs({ record, answer, job }: { record: SentCaseRecord; answer: SentAnswer; job: ConsoleJob }) {
  const { tabs: own = [] } = job.views;
  const names = ['trial', ...own.map(({ name }) => name), 'around', 'similar', 'people', 'record'];
  const [tab, change] = useSearchState((raw) => pickOne(names, raw['tab']) ?? 'trial');
  const view = useMemo(() => trialFromAnswer(job, answer), [job, answer]);
  const kept = new Set(record.attachments.map(({ hash }) => hash));
  const fileUrl = ({ hash }: JudgedFile) => (hash !== null && kept.has(hash) ? attachmentUrl(record.id, hash) : null);
  const count = (number: number) => (number > 0 ? ` (${number})` : '');
  return (
    <PointingProvider sources={view.sources}>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Section title="What was judged">
          <Card
            className="max-h-[55dvh] overflow-y-auto lg:max-h-[70dvh]"
            data-pane
            tabIndex={0}
            role="region"
            aria-label="What was judged"
          >
            <SubjectView view={view} fileUrl={fileUrl} />
          </Card>
          <ContextView context={record.context} shown={view.contextShown} />
        </Section>
        <Section title="What was decided">
          <VerdictBanner view={view} headingLevel="h3" />
        </Section>
      </div>
      <Tabs
        label="Case"
        value={tab}
        onChange={(name) => change({ tab: name === 'trial' ? undefined : name })}
        tabs={[
          { name: 'trial', label: 'Debate', panel: <TrialTab view={view} answer={answer} figure={job.views.figure} /> },
          ...own.map(({ name, describe, Panel }) => ({
            name,
            label: describe(answer),
            panel: (
              <Suspense fallback={<Loading />}>
                <Panel answer={answer} />
              </Suspense>
            ),
          })),
          ...(record.author !== null || record.thread !== null
            ? [{ name: 'around', label: 'Author and thread', panel: <CasesAround id={record.id} /> }]
            : []),
          { name: 'similar', label: 'Similar cases', panel: <SimilarCases id={record.id} /> },
          {
            name: 'people',
            label: `Decisions and retrials${count(record.decisions.length + record.retrials.length)}`,
            panel: (
              <>
                <Decisions record={record} />
                <Retrials record={record} />
              </>
            ),
          },
          {
            name: 'record',
            label: 'Record',
            panel: (
              <>
                <CaseReports record={record} />
                <Disclosures id={record.id} />
                <UsageView usage={answer.usage} />
                <Provenance answer={answer} />
              </>
            ),
          },
        ]}
      />
    </PointingProvider>
  );
}

interface TrialTabProps {
  view: TrialView;
  answer: SentAnswer;
  figure: CaseFigure | undefined;
}

function TrialTab({ view, answer, figure }: TrialTabProps) {
  const method = view.job.terms.describeMethod(view.method ?? 'debate');
  return (
    <>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Section title="Rules">
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
          <Section title="Scores">
            <Card>
              <ScoreChart view={view} />
            </Card>
          </Section>
        )}
      </div>
      {figure?.isShown(answer) && (
        <Section title={figure.title} lead={figure.lead}>
          <Card>
            <Suspense fallback={<Skeleton className="h-80 w-full" />}>
              <figure.Figure answer={answer} />
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
