import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import type { Precedent } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Field, Form, Input, Select, TextArea, TextAreaField } from '../../components/field.tsx';
import { showToast } from '../../components/toasts.tsx';
import { invalidate, policyQuery } from '../../api/query-options.ts';

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
      await invalidate('precedents');
      setOpen(false);
      setText('');
      setWords(blank);
      showToast(`${id} is now in force.`);
    },
  });
  return (
    <Dialog
      title="New precedent"
      description="A decided case. It takes effect at once: debates about similar content will see it."
      open={open}
      onOpenChange={setOpen}
      trigger={<Button icon={Plus}>New precedent</Button>}
    >
      <Form onSubmit={() => make.mutate()} sending={make} submit="Add precedent">
        <TextAreaField label="Content" required maxLength={20_000} value={text} onChange={setText} />
        <Field label="Decided as">
          <Select value={label} onChange={(event) => setLabel(event.target.value === 'safe' ? 'safe' : 'unsafe')}>
            <option value="unsafe">Unsafe</option>
            <option value="safe">Safe</option>
          </Select>
        </Field>
        <PrecedentFields words={words} onChange={setWords} />
      </Form>
    </Dialog>
  );
}

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
      await invalidate('precedents');
      setOpen(false);
      showToast('Precedent updated.');
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
      title="Edit precedent"
      description="Its text and label stay as decided."
      open={open}
      onOpenChange={turn}
      trigger={<Button size="small">Edit</Button>}
    >
      <Form onSubmit={() => edit.mutate()} sending={edit} submit="Save">
        <PrecedentFields words={words} onChange={setWords} />
      </Form>
    </Dialog>
  );
}

export function RetirePrecedent({ precedent: { id } }: { precedent: Precedent }) {
  const [open, setOpen] = useState(false);
  const [why, setWhy] = useState('');
  const retire = useMutation({
    mutationFn: () => client.precedents.retire(id, { why }),
    onSuccess: async () => {
      await invalidate('precedents');
      setOpen(false);
      showToast(`${id} was retired. Debates no longer see it.`);
    },
  });
  return (
    <Dialog
      title="Retire precedent"
      description="Debates will no longer see it. It stays on record with your reason."
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button size="small" variant="danger">
          Retire
        </Button>
      }
    >
      <Form
        onSubmit={() => retire.mutate()}
        sending={retire}
        submit="Retire precedent"
        submitLook={{ variant: 'danger' }}
      >
        <TextAreaField label="Why" required maxLength={2000} value={why} onChange={setWhy} />
      </Form>
    </Dialog>
  );
}

/** What a person can say about a decided case. Cues are one a line. */
interface PrecedentText {
  summary: string;
  why: string;
  cues: string;
  clause: string;
}

function splitLines(cues: string): string[] {
  return cues
    .split('\n')
    .map((cue) => cue.trim())
    .filter(Boolean);
}

function PrecedentFields({ words, onChange }: { words: PrecedentText; onChange: (words: PrecedentText) => void }) {
  const { data: policy } = useQuery(policyQuery('active'));
  const set = (name: keyof PrecedentText) => (event: { target: { value: string } }) =>
    onChange({ ...words, [name]: event.target.value });
  return (
    <>
      <Field label="Summary" hint="One sentence that debaters read first.">
        <Input required maxLength={1000} value={words.summary} onChange={set('summary')} />
      </Field>
      <Field label="Why it was decided this way">
        <TextArea required maxLength={2000} value={words.why} onChange={set('why')} />
      </Field>
      <Field label="Cues, one per line" hint="What another case must share to be similar.">
        <TextArea value={words.cues} onChange={set('cues')} />
      </Field>
      <Field label="Clause">
        <Select value={words.clause} onChange={set('clause')}>
          <option value="">None</option>
          {policy?.categories.map(({ id, title, clauses }) => (
            <optgroup key={id} label={title}>
              {clauses.map((clause) => (
                <option key={clause.id} value={clause.id}>
                  {clause.id}: {clause.text}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      </Field>
    </>
  );
}
