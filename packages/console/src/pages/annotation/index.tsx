import { useQuery } from '@tanstack/react-query';
import { Tags } from 'lucide-react';
import type { SentAnnotationProject } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { Card, EmptyState, Loading, Page, QueryView, Skeleton } from '../../components/page.tsx';
import { When } from '../../components/text.tsx';
import { useReviewer } from '../../session/reviewer.tsx';
import { NewProject } from './new-project.tsx';
import { AgreementLine, ProjectProgress } from './project-figures.tsx';
import { TrySample } from './try-sample.tsx';
import { TextLink } from '../../components/button.tsx';
import { projectsQuery } from '../../api/query-options.ts';

export function AnnotationPage() {
  const { by } = useReviewer();
  const query = useQuery(projectsQuery(by));
  return (
    <Page
      title="Annotation"
      lead={
        'People label a dataset with independent votes. Nobody sees other votes until all votes on an item ' +
        'are in; disagreements are adjudicated.'
      }
      actions={
        <>
          {query.data?.length !== 0 && <TrySample />}
          <NewProject />
        </>
      }
    >
      <QueryView query={query} loading={<ProjectsSkeleton />}>
        {(projects) =>
          projects.length === 0 ? (
            <EmptyState title="No projects yet" icon={Tags} action={<TrySample />}>
              <p>
                A project consists of a file (JSON Lines, CSV or TSV) with texts, prompts and responses, and the images
                it names. The sample has four harmless items and a drawn image.
              </p>
            </EmptyState>
          ) : (
            <ul className="grid gap-4 lg:grid-cols-2">
              {projects.map((project) => (
                <li key={project.id}>
                  <ProjectCard project={project} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Page>
  );
}

function ProjectsSkeleton() {
  return (
    <Loading what="Loading projects" className="grid gap-4 lg:grid-cols-2">
      {[1, 2].map((one) => (
        <Card key={one} className="grid gap-4">
          <Skeleton className="h-7 w-1/2" />
          <Skeleton className="h-8" />
          <Skeleton className="w-2/3" />
          <Skeleton className="w-3/4" />
        </Card>
      ))}
    </Loading>
  );
}

function ProjectCard({ project }: { project: SentAnnotationProject }) {
  const { id, name, labels, votes, createdAt, createdBy, progress, yours, agreement } = project;
  return (
    <Card className="grid gap-3">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h2 className="words min-w-0 text-xl">
          <TextLink to="/annotation/$project" params={{ project: id }}>
            {name}
          </TextLink>
        </h2>
        {yours.waiting > 0 ? (
          <Badge tone="caution">{yours.waiting.toLocaleString()} to vote on</Badge>
        ) : (
          <Badge tone={progress.disputed > 0 ? 'caution' : 'exoneration'}>
            {progress.disputed > 0 ? `${progress.disputed.toLocaleString()} to settle` : 'Nothing to do'}
          </Badge>
        )}
      </div>
      <ProjectProgress progress={progress} />
      <AgreementLine agreement={agreement} />
      <p className="words text-sm text-quiet">
        {progress.items.toLocaleString()} {progress.items === 1 ? 'item' : 'items'}, {votes} votes each:{' '}
        {labels.join(', ')}. Created <When moment={createdAt} />
        {createdBy ? ` by ${createdBy}` : ''}.
      </p>
    </Card>
  );
}
