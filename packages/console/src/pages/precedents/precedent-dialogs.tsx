import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { client, type SentPolicy, type SentPrecedent } from '../../api/client.ts';
import { FormDialog } from '../../components/dialog.tsx';
import { nameOptions, InputField, SelectField, TextAreaField, useFields } from '../../components/field.tsx';
import { policyQuery } from '../../api/query-options.ts';

const blank = { summary: '', why: '', cues: '', clause: '', text: '', label: 'unsafe' };

export function NewPrecedent() {
  const { given, field, reset } = useFields(blank);
  return (
    <FormDialog
      title="New precedent"
      description="A decided case. It takes effect at once: debates about similar content will see it."
      trigger="New precedent"
      triggerLook={{ icon: Plus }}
      act={() =>
        client.precedents.create({
          ...given,
          label: given.label === 'safe' ? 'safe' : 'unsafe',
          cues: splitLines(given.cues),
          clause: given.clause || undefined,
        })
      }
      changes="precedents"
      says={({ id }) => `${id} is now in force.`}
      onDone={reset}
      submit="Add precedent"
    >
      <TextAreaField label="Content" required maxLength={20_000} {...field('text')} />
      <SelectField label="Decided as" options={nameOptions('unsafe', 'safe')} {...field('label')} />
      <PrecedentFields field={field} />
    </FormDialog>
  );
}

/** Corrects the words of a precedent. Its text and its label stay: another text is another precedent. */
export function EditPrecedent({ precedent: { id, summary, why, cues, clause } }: { precedent: SentPrecedent }) {
  const { given, field, setGiven } = useFields({ summary: '', why: '', cues: '', clause: '' });
  return (
    <FormDialog
      title="Edit precedent"
      description="Its text and label stay as decided."
      trigger="Edit"
      triggerLook={{ size: 'small' }}
      onOpen={() => setGiven({ summary, why, cues: cues.join('\n'), clause: clause ?? '' })}
      act={() =>
        client.precedents.change(id, {
          ...given,
          cues: splitLines(given.cues),
          clause: given.clause === (clause ?? '') ? undefined : given.clause || null,
        })
      }
      changes="precedents"
      says={() => 'Precedent updated.'}
      submit="Save"
    >
      <PrecedentFields field={field} />
    </FormDialog>
  );
}

export function RetirePrecedent({ precedent: { id } }: { precedent: SentPrecedent }) {
  const [why, setWhy] = useState('');
  return (
    <FormDialog
      title="Retire precedent"
      description="Debates will no longer see it. It stays on record with your reason."
      trigger="Retire"
      triggerLook={{ size: 'small', variant: 'danger' }}
      act={() => client.precedents.retire(id, { why })}
      changes="precedents"
      says={() => `${id} was retired. Debates no longer see it.`}
      submit="Retire precedent"
      submitLook={{ variant: 'danger' }}
    >
      <TextAreaField label="Why" required maxLength={2000} value={why} onChange={setWhy} />
    </FormDialog>
  );
}

function splitLines(cues: string): string[] {
  return cues
    .split('\n')
    .map((cue) => cue.trim())
    .filter(Boolean);
}

interface PrecedentFieldsProps {
  field: (name: 'summary' | 'why' | 'cues' | 'clause') => { value: string; onChange: (value: string) => void };
}

function PrecedentFields({ field }: PrecedentFieldsProps) {
  const { data: policy } = useQuery(policyQuery('active'));
  return (
    <>
      <InputField
        label="Summary"
        hint="One sentence that debaters read first."
        required
        maxLength={1000}
        {...field('summary')}
      />
      <TextAreaField label="Why it was decided this way" required maxLength={2000} {...field('why')} />
      <TextAreaField label="Cues, one per line" hint="What another case must share to be similar." {...field('cues')} />
      <ClauseField policy={policy} withText {...field('clause')} />
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
