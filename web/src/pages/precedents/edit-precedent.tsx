import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import type { Precedent } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { showToast } from '../../components/toasts.tsx';
import { invalidatePrecedents } from './precedents-query.ts';
import { splitLines, PrecedentFields, type PrecedentText } from './words-of-precedent.tsx';

/** Corrects the words of a precedent. Its text and its label stay: another text is another precedent. */
export function EditPrecedent({ precedent }: { precedent: Precedent }) {
  const [open, setOpen] = useState(false);
  const [words, setWords] = useState<PrecedentText>({ summary: '', why: '', cues: '', clause: '' });
  const edit = useMutation({
    mutationFn: () =>
      client.precedents.change(precedent.id, {
        summary: words.summary,
        why: words.why,
        cues: splitLines(words.cues),
        ...(words.clause === (precedent.clause ?? '') ? {} : { clause: words.clause || null }),
      }),
    onSuccess: async () => {
      await invalidatePrecedents();
      setOpen(false);
      showToast('The precedent is corrected.');
    },
  });
  const turn = (next: boolean) => {
    edit.reset();
    setWords({
      summary: precedent.summary,
      why: precedent.why,
      cues: precedent.cues.join('\n'),
      clause: precedent.clause ?? '',
    });
    setOpen(next);
  };
  return (
    <Dialog
      title="Edit the precedent"
      description="Its text and its label stay as they were decided."
      open={open}
      onOpenChange={turn}
      trigger={<Button size="small">Edit</Button>}
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          edit.mutate();
        }}
      >
        <PrecedentFields words={words} onChange={setWords} />
        {edit.isError && <ProblemNotice error={edit.error} />}
        <Button type="submit" variant="primary" busy={edit.isPending}>
          Save
        </Button>
      </form>
    </Dialog>
  );
}
