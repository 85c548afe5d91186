import { useMutation, useQuery } from '@tanstack/react-query';
import { UserRound } from 'lucide-react';
import { useState } from 'react';
import { client, type QueueItem } from '../../api/client.ts';
import { invalidate, queuesQuery } from '../../api/query-options.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, InputField } from '../../components/field.tsx';
import { showToast } from '../../components/toasts.tsx';
import type { Reviewer } from '../../session/reviewer.tsx';

/** Says who is to decide a case: others are not offered it until then. */
export function AssignCase({ item, reviewer }: { item: QueueItem; reviewer: Reviewer }) {
  const [open, setOpen] = useState(false);
  const [assigned, setAssigned] = useState(item.assigned);
  const [name, setName] = useState(item.assigned ?? '');
  const { data: queues = [] } = useQuery(queuesQuery);
  const people = new Set([
    ...(reviewer.name === null ? [] : [reviewer.name]),
    ...queues.flatMap((one) => one.assignees),
  ]);
  const assign = useMutation({
    mutationFn: (to: string | null) => client.queue.assign(item.id, { to }),
    onSuccess: async (row) => {
      setAssigned(row.assigned);
      setOpen(false);
      showToast(row.assigned === null ? 'Anyone may take it.' : `It waits for ${row.assigned}.`);
      await invalidate('queue');
    },
  });
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Who is to decide this case?"
      description="Others are not offered it until then. They may still open it."
      trigger={
        <Button icon={UserRound} size="small" variant="quiet">
          <span className="words">{assigned === null ? 'Assign' : `For ${assigned}`}</span>
        </Button>
      }
    >
      <Form sending={assign} submit="Assign" onSubmit={() => assign.mutate(name.trim())}>
        <InputField
          label="Name"
          required
          maxLength={200}
          pattern=".*\S.*"
          autoComplete="off"
          value={name}
          onChange={setName}
          suggestions={[...people].map((person) => [person, person])}
        />
      </Form>
      {assigned !== null && (
        <Button busy={assign.isPending} onClick={() => assign.mutate(null)}>
          Leave it to anyone
        </Button>
      )}
    </Dialog>
  );
}
