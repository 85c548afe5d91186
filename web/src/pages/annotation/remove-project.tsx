import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { client } from '../../api/client.ts';
import type { AnnotationProject } from '../../api/types.ts';
import { queries } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogClose } from '../../components/dialog.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { showToast } from '../../components/toasts.tsx';

export function RemoveProject({ project: { id, name, progress } }: { project: AnnotationProject }) {
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => client.annotations.remove(id),
    onSuccess: async () => {
      await navigate({ to: '/annotation' });
      queries.removeQueries({ queryKey: ['annotations'] });
      showToast(`${name} is taken away.`);
    },
  });
  return (
    <Dialog
      title="Take the project away"
      description={
        `${name} goes with its ${progress.items.toLocaleString()} items, its images and ${progress.votes.toLocaleString()} ` +
        'votes. This cannot be undone: export it before.'
      }
      trigger={
        <Button variant="danger">
          <Trash2 aria-hidden className="size-4" /> Remove
        </Button>
      }
    >
      {remove.isError && <ProblemNotice error={remove.error} />}
      <div className="flex flex-wrap gap-2">
        <Button variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          Take it away
        </Button>
        <DialogClose asChild>
          <Button>Keep it</Button>
        </DialogClose>
      </div>
    </Dialog>
  );
}
