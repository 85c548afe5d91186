import { useMemo } from 'react';
import type { CaseRecord, EvaluationAnswer, ModerationAnswer } from '../../api/types.ts';
import { Card, Section } from '../../components/card.tsx';
import { TabPanel, Tabs } from '../../components/tabs.tsx';
import { oneOf, useSearchState } from '../../routing/search.ts';
import { PointingProvider } from '../../trial/pointing.tsx';
import { SubjectView } from '../../trial/subject-view.tsx';
import { trialFromAnswer, type JudgedImage } from '../../trial/trial-view.ts';
import { VerdictBanner } from '../../trial/verdict-banner.tsx';
import { attachmentPath } from './case-query.ts';
import { Decisions } from './decisions.tsx';
import { CaseReports } from './exports.tsx';
import { PrecedentsTab } from './precedents.tsx';
import { Provenance } from './provenance.tsx';
import { Retrials } from './retrials.tsx';
import { SimilarCases } from './similar-cases.tsx';
import { TrialTab } from './trial.tsx';
import { UsageView } from './usage-view.tsx';

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
