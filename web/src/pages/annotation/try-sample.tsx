import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { client } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { sayProblem } from '../../components/toasts.tsx';
import { useReviewer } from '../../session/reviewer.ts';
import { annotationsChanged, projectsQuery } from './annotations-query.ts';
import { sampleFiles, sampleOrder } from './sample.ts';

/** Makes the sample project, or goes to the one that is there. */
export function TrySample() {
  const { by } = useReviewer();
  const { data: projects } = useQuery(projectsQuery(by));
  const navigate = useNavigate();
  const there = projects?.find(({ name }) => name === sampleOrder.name);
  const make = useMutation({
    mutationFn: async () => there ?? client.annotations.create({ ...sampleOrder, ...by, files: await sampleFiles() }),
    onSuccess: async ({ id }) => {
      await annotationsChanged();
      await navigate({ to: '/annotation/$project', params: { project: id } });
    },
    onError: sayProblem,
  });
  return (
    <Button busy={make.isPending} disabled={projects === undefined} onClick={() => make.mutate()}>
      <FlaskConical aria-hidden className="size-4" /> {there ? 'Open the sample' : 'Try a sample'}
    </Button>
  );
}
