import { useMutation } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, Select, TextArea } from '../../components/field.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import { showToast } from '../../components/toasts.tsx';
import { invalidatePrecedents } from './precedents-query.ts';
import { splitLines, PrecedentFields, type PrecedentText } from './words-of-precedent.tsx';

const blank: PrecedentText = { summary: '', why: '', cues: '', clause: '' };

/** A decided case that a person writes down. */
export function NewPrecedent() {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [label, setLabel] = useState<'safe' | 'unsafe'>('unsafe');
  const [words, setWords] = useState(blank);
  const make = useMutation({
    mutationFn: () =>
      client.precedents.create({
        label,
        text,
        summary: words.summary,
        why: words.why,
        cues: splitLines(words.cues),
        ...(words.clause ? { clause: words.clause } : {}),
      }),
    onSuccess: async ({ id }) => {
      await invalidatePrecedents();
      setOpen(false);
      setText('');
      setWords(blank);
      showToast(`${id} is in force.`);
    },
  });
  return (
    <Dialog
      title="New precedent"
      description="A decided case. It is in force at once, and debates about alike content are shown it."
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button>
          <Plus aria-hidden className="size-4" /> New precedent
        </Button>
      }
    >
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate();
        }}
      >
        <Field label="What was judged">
          <TextArea required maxLength={20_000} value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
        <Field label="Decided as">
          <Select value={label} onChange={(event) => setLabel(event.target.value === 'safe' ? 'safe' : 'unsafe')}>
            <option value="unsafe">Unsafe</option>
            <option value="safe">Safe</option>
          </Select>
        </Field>
        <PrecedentFields words={words} onChange={setWords} />
        {make.isError && <ProblemNotice error={make.error} />}
        <Button type="submit" variant="primary" busy={make.isPending}>
          Put it in force
        </Button>
      </form>
    </Dialog>
  );
}
