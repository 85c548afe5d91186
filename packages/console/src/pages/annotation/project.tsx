import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import type { SentAnnotationProject } from '../../api/client.ts';
import { Page, Section, Loading, ProblemNotice } from '../../components/page.tsx';
import { DataTable } from '../../components/table.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { pickOne, type RawSearch, useSearchState } from '../../routing/search.ts';
import { AskReviewerName, type Reviewer, ReviewerName, useReviewer } from '../../session/reviewer.tsx';
import { useMay } from '../../session/session.ts';
import { Disputes } from './disputes.tsx';
import { ItemsTable, itemStates } from './items-table.tsx';
import { ExportProject, RemoveProject } from './project-actions.tsx';
import { AgreementFigures, AgreementLine, AgreementPairs, ProjectProgress } from './project-figures.tsx';
import { MarkFigures } from './project-figures.tsx';
import { VoteTab } from './vote-tab.tsx';
import { TextLink } from '../../components/button.tsx';
import { projectQuery } from '../../api/query-options.ts';

const tabs = ['vote', 'disputes', 'agreement', 'items'] as const;

function readAddress(raw: RawSearch) {
  return {
    tab: pickOne(tabs, raw['tab']) ?? 'vote',
    item: /^\d{1,7}$/.test(raw['item'] ?? '') ? Number(raw['item']) : null,
    state: pickOne(itemStates, raw['state']),
  };
}

/** One project: the item to vote on, its disputes, how far people agree, its items. */
export function ProjectPage() {
  const { project: id } = useParams({ strict: false }) as { project: string };
  const reviewer = useReviewer();
  const { data: project, error, refetch } = useQuery(projectQuery(id, reviewer.by));
  if (project) return <ProjectTabs project={project} reviewer={reviewer} />;
  return (
    <Page wide title="Annotation">
      {error ? (
        <>
          <ProblemNotice error={error} retry={() => void refetch()} />
          <p>
            <TextLink to="/annotation">All projects</TextLink>
          </p>
        </>
      ) : (
        <Loading lines={8} what="Loading project" />
      )}
    </Page>
  );
}

function ProjectTabs({ project, reviewer }: { project: SentAnnotationProject; reviewer: Reviewer }) {
  const [{ tab, item, state }, change] = useSearchState(readAddress);
  const [renaming, setRenaming] = useState(false);
  const mayRemove = useMay('admin');
  const ask = useCallback((position: number | undefined) => change({ item: position }), [change]);
  const { disputed } = project.progress;
  const named = reviewer.name !== null && !renaming;
  const askName = (
    <AskReviewerName
      reviewer={reviewer}
      why="Votes are counted by name, so use the same name each time."
      onDone={() => setRenaming(false)}
    />
  );
  return (
    <Page
      wide
      title={project.name}
      lead={<TextLink to="/annotation">All projects</TextLink>}
      actions={
        <>
          <ExportProject project={project} />
          {mayRemove && <RemoveProject project={project} />}
        </>
      }
    >
      <div className="grid items-start gap-x-8 gap-y-3 md:grid-cols-[minmax(0,1fr)_auto]">
        <ProjectProgress progress={project.progress} />
        <div className="grid gap-1 md:justify-items-end">
          <AgreementLine agreement={project.agreement} />
          {named && <ReviewerName reviewer={reviewer} onRename={() => setRenaming(true)} />}
        </div>
      </div>
      <Tabs
        label="Project"
        value={tab}
        onChange={(name) =>
          change({ tab: name === 'vote' ? undefined : name, item: undefined, state: undefined }, { replace: false })
        }
        tabs={[
          {
            name: 'vote',
            label: `Vote${project.yours.waiting > 0 ? ` (${project.yours.waiting.toLocaleString()})` : ''}`,
            panel: named ? (
              <VoteTab key={reviewer.name} project={project} by={reviewer.by} asked={item} ask={ask} />
            ) : (
              askName
            ),
          },
          {
            name: 'disputes',
            label: `Disputes${disputed > 0 ? ` (${disputed.toLocaleString()})` : ''}`,
            panel: named ? <Disputes project={project} by={reviewer.by} /> : askName,
          },
          { name: 'agreement', label: 'Agreement', panel: <AgreementTab project={project} /> },
          {
            name: 'items',
            label: 'Items',
            panel: (
              <ItemsTable project={project} by={reviewer.by} state={state} show={(shown) => change({ state: shown })} />
            ),
          },
        ]}
      />
    </Page>
  );
}

function AgreementTab({ project: { agreement, markAgreement, annotators } }: { project: SentAnnotationProject }) {
  return (
    <div className="grid gap-6">
      <AgreementFigures agreement={agreement} />
      <AgreementPairs agreement={agreement} />
      {markAgreement && <MarkFigures agreement={markAgreement} />}
      {annotators.length > 0 && (
        <Section title="Annotators">
          <DataTable
            label="Annotators"
            rows={annotators}
            columns={[
              ['Name', ({ name }) => name, 'words'],
              ['Votes', ({ votes }) => votes.toLocaleString(), 'tabular-nums'],
            ]}
          />
        </Section>
      )}
    </div>
  );
}
