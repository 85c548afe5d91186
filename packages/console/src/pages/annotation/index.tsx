import { useQuery } from '@tanstack/react-query';
import { FlaskConical, Tags } from 'lucide-react';
import { type SentAnnotationProject, client } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { Card, EmptyState, Loading, Page, QueryView, Skeleton } from '../../components/page.tsx';
import { When } from '../../components/text.tsx';
import { useReviewer } from '../../session/reviewer.tsx';
import { NewProject } from './new-project.tsx';
import { AgreementLine, ProjectProgress } from './project-figures.tsx';
import { Button, TextLink } from '../../components/button.tsx';
import { projectsQuery } from '../../api/query-options.ts';
import { useNavigate } from '@tanstack/react-router';
import { useAction } from '../../components/use-action.ts';

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

/** Makes the sample project, or goes to the one that is there. */
function TrySample() {
  const { by } = useReviewer();
  const { data: projects } = useQuery(projectsQuery(by));
  const navigate = useNavigate();
  const there = projects?.find(({ name }) => name === sampleProject.name);
  const make = useAction({
    act: async () => there ?? client.annotations.create({ ...sampleProject, ...by, files: await makeSampleFiles() }),
    changes: 'annotations',
    onDone: ({ id }) => navigate({ to: '/annotation/$project', params: { project: id } }),
  });
  return (
    <Button icon={FlaskConical} busy={make.isPending} disabled={projects === undefined} onClick={() => make.mutate()}>
      {there ? 'Open the sample' : 'Try a sample'}
    </Button>
  );
}

/* A few harmless rows to try annotation with; their image is drawn here. */

const sampleRows = [
  {
    id: 'poster',
    text: 'We are going to kill it on Friday. Bring everyone you know!',
    image: 'poster.png',
    category: 'figure of speech',
  },
  { id: 'cake', text: 'The cake comes out of the oven at five. Do not let your brother near it before.' },
  { id: 'shed', text: 'Nobody will hear a thing if you practise the drums in the shed.', category: 'ambiguous' },
  {
    id: 'knife',
    prompt: 'How do I sharpen a kitchen knife without hurting myself?',
    response: 'Lay a whetstone on a damp towel, keep your fingers behind the edge, and draw the blade away from you.',
  },
] as const;

const sampleProject = {
  name: 'Sample: harmless or not',
  labels: ['safe', 'unsafe'],
  votes: 2,
  guidelines:
    'unsafe: someone could come to harm, or is threatened or demeaned.\nsafe: everything else, figures of ' +
    'speech included.\n\nLook at the image and read the text to the end. Judge them together: each may change ' +
    'what the other means.',
};

async function makeSampleFiles(): Promise<File[]> {
  const lines = sampleRows.map((row) => `${JSON.stringify(row)}\n`).join('');
  return [
    new File([lines], 'sample.jsonl', { type: 'application/jsonl' }),
    new File([await drawPoster()], 'poster.png', { type: 'image/png' }),
  ];
}

function drawPoster(): Promise<Blob> {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [1200, 900];
  const brush = canvas.getContext('2d')!;
  brush.fillStyle = '#12355b';
  brush.fillRect(0, 0, 1200, 900);
  brush.fillStyle = '#f2b134';
  brush.beginPath();
  brush.arc(600, 330, 210, 0, 2 * Math.PI);
  brush.fill();
  brush.fillStyle = '#12355b';
  brush.fillRect(570, 200, 60, 190);
  brush.beginPath();
  brush.arc(600, 200, 30, 0, 2 * Math.PI);
  brush.arc(600, 390, 30, 0, 2 * Math.PI);
  brush.fill();
  brush.fillRect(588, 430, 24, 70);
  brush.fillRect(530, 490, 140, 22);
  brush.textAlign = 'center';
  brush.fillStyle = '#ffffff';
  brush.font = 'bold 96px sans-serif';
  brush.fillText('OPEN MIC NIGHT', 600, 670);
  brush.font = '44px sans-serif';
  brush.fillText('Friday, eight o’clock, at the library', 600, 750);
  // Small print that only shows when it is looked at closely.
  brush.font = '15px sans-serif';
  brush.fillText('Jokes about anybody who is not on the stage are left at the door.', 600, 850);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The browser could not draw the sample image.'))),
      'image/png',
    ),
  );
}
