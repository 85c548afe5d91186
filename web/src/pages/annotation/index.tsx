import { useQuery } from '@tanstack/react-query';
import { Tags } from 'lucide-react';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Page } from '../../components/page.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useReviewer } from '../../session/reviewer.ts';
import { projectsQuery } from './annotations-query.ts';
import { NewProject } from './new-project.tsx';
import { ProjectCard } from './project-card.tsx';
import { TrySample } from './try-sample.tsx';

/** Datasets that people label by independent votes. */
export function AnnotationPage() {
  const { by } = useReviewer();
  const { data: projects, error, refetch } = useQuery(projectsQuery(by));
  return (
    <Page
      title="Annotation"
      lead="People label a dataset by independent votes: nobody sees what others said before all votes on an item are in. What they disagree about is adjudicated."
      actions={
        <>
          {projects?.length !== 0 && <TrySample />}
          <NewProject />
        </>
      }
    >
      {error && <ProblemNotice error={error} retry={() => void refetch()} />}
      {!projects && !error && <ProjectsSkeleton />}
      {projects?.length === 0 && (
        <EmptyState title="No project yet" icon={Tags} action={<TrySample />}>
          <p>
            A project is made of a file (JSON Lines, CSV or TSV) with texts, prompts and responses, and of the images
            that it names. The sample has four harmless items and a drawn image.
          </p>
        </EmptyState>
      )}
      {projects && projects.length > 0 && (
        <ul className="grid gap-4 lg:grid-cols-2">
          {projects.map((project) => (
            <li key={project.id}>
              <ProjectCard project={project} />
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

function ProjectsSkeleton() {
  return (
    <div role="status" className="grid gap-4 lg:grid-cols-2">
      <span className="sr-only">Loading the projects…</span>
      {[1, 2].map((one) => (
        <Card key={one} className="grid gap-4">
          <Skeleton className="h-7 w-1/2" />
          <Skeleton className="h-8" />
          <Skeleton className="w-2/3" />
          <Skeleton className="w-3/4" />
        </Card>
      ))}
    </div>
  );
}
