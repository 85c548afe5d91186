import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import type { Precedent } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, TextArea } from '../../components/field.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { showToast } from '../../components/toasts.tsx';
import { invalidatePrecedents } from './precedents-query.ts';

export function RetirePrecedent({ precedent: { id } }: { precedent: Precedent }) {
  const [open, setOpen] = useState(false);
  const [why, setWhy] = useState('');
  const retire = useMutation({
    mutationFn: () => client.precedents.retire(id, { why }),
    onSuccess: async () => {
      await invalidatePrecedents();
      setOpen(false);
      showToast(`${id} is retired: debates are not shown it any more.`);
    },
  });
  return (
    <Dialog
      title="Retire the precedent"
      description="Debates are not shown it any more. It stays on record, with your reason."
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button size="small" variant="danger">
          Retire
        </Button>
      }
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          retire.mutate();
        }}
      >
        <Field label="Why">
          <TextArea required maxLength={2000} value={why} onChange={(event) => setWhy(event.target.value)} />
        </Field>
        {retire.isError && <ProblemNotice error={retire.error} />}
        <Button type="submit" variant="danger" busy={retire.isPending}>
          Retire it
        </Button>
      </form>
    </Dialog>
  );
}
