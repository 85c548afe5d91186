import { useMutation, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { client, type SentPolicy, type SentPrecedent } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, InputField, SelectField, TextAreaField } from '../../components/field.tsx';
import { showToast } from '../../components/toasts.tsx';
import { invalidate, policyQuery } from '../../api/query-options.ts';

const blank: PrecedentText = { summary: '', why: '', cues: '', clause: '' };

export function NewPrecedent() {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [label, setLabel] = useState<'safe' | 'unsafe'>('unsafe');
  const [words, setWords] = useState(blank);
  const make = useMutation({
    mutationFn: () =>
      client.precedents.create({
        ...words,
        label,
        text,
        cues: splitLines(words.cues),
        clause: words.clause || undefined,
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
        <SelectField
          label="Decided as"
          value={label}
          onChange={(value) => setLabel(value === 'safe' ? 'safe' : 'unsafe')}
          options={[
            ['unsafe', 'Unsafe'],
            ['safe', 'Safe'],
          ]}
        />
        <PrecedentFields words={words} onChange={setWords} />
      </Form>
    </Dialog>
  );
}

/** Corrects the words of a precedent. Its text and its label stay: another text is another precedent. */
export function EditPrecedent({ precedent }: { precedent: SentPrecedent }) {
  const [open, setOpen] = useState(false);
  const [words, setWords] = useState(blank);
  const edit = useMutation({
    mutationFn: () =>
      client.precedents.change(precedent.id, {
        ...words,
        cues: splitLines(words.cues),
        clause: words.clause === (precedent.clause ?? '') ? undefined : words.clause || null,
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

export function RetirePrecedent({ precedent: { id } }: { precedent: SentPrecedent }) {
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
  const set = (name: keyof PrecedentText) => (value: string) => onChange({ ...words, [name]: value });
  return (
    <>
      <InputField
        label="Summary"
        hint="One sentence that debaters read first."
        required
        maxLength={1000}
        value={words.summary}
        onChange={set('summary')}
      />
      <TextAreaField
        label="Why it was decided this way"
        required
        maxLength={2000}
        value={words.why}
        onChange={set('why')}
      />
      <TextAreaField
        label="Cues, one per line"
        hint="What another case must share to be similar."
        value={words.cues}
        onChange={set('cues')}
      />
      <ClauseField policy={policy} withText value={words.clause} onChange={set('clause')} />
    </>
  );
}

interface ClauseFieldProps {
  policy: SentPolicy | undefined;
  hint?: string;
  withText?: boolean;
  value: string;
  onChange: (clause: string) => void;
}

export function ClauseField({ policy, withText = false, ...rest }: ClauseFieldProps) {
  return (
    <SelectField label="Clause" none="None" {...rest}>
      {policy?.categories.map(({ id: category, title, clauses }) => (
        <optgroup key={category} label={title}>
          {clauses.map(({ id, text }) => (
            <option key={id} value={id}>
              {withText ? `${id}: ${text}` : id}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  );
}
