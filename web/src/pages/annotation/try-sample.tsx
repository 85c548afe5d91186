import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { FlaskConical } from 'lucide-react';
import { client } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { showProblem } from '../../components/toasts.tsx';
import { useReviewer } from '../../session/reviewer.ts';
import { invalidateAnnotations, projectsQuery } from './annotations-query.ts';
import { makeSampleFiles, sampleProject } from './sample.ts';

/** Makes the sample project, or goes to the one that is there. */
export function TrySample() {
  const { by } = useReviewer();
  const { data: projects } = useQuery(projectsQuery(by));
  const navigate = useNavigate();
  const there = projects?.find(({ name }) => name === sampleProject.name);
  const make = useMutation({
    mutationFn: async () =>
      there ?? client.annotations.create({ ...sampleProject, ...by, files: await makeSampleFiles() }),
    onSuccess: async ({ id }) => {
      await invalidateAnnotations();
      await navigate({ to: '/annotation/$project', params: { project: id } });
    },
    onError: showProblem,
  });
  return (
    <Button busy={make.isPending} disabled={projects === undefined} onClick={() => make.mutate()}>
      <FlaskConical aria-hidden className="size-4" /> {there ? 'Open the sample' : 'Try a sample'}
    </Button>
  );
}
