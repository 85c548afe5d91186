import { useQuery } from '@tanstack/react-query';
import { Field, Input, Select, TextArea } from '../../components/field.tsx';
import { activePolicyQuery } from './precedents-query.ts';

/** What a person can say about a decided case. Cues are one a line. */
export interface PrecedentText {
  summary: string;
  why: string;
  cues: string;
  clause: string;
}

export function splitLines(cues: string): string[] {
  return cues
    .split('\n')
    .map((cue) => cue.trim())
    .filter(Boolean);
}

export function PrecedentFields({
  words,
  onChange,
}: {
  words: PrecedentText;
  onChange: (words: PrecedentText) => void;
}) {
  const { data: policy } = useQuery(activePolicyQuery);
  const set = (name: keyof PrecedentText) => (event: { target: { value: string } }) =>
    onChange({ ...words, [name]: event.target.value });
  return (
    <>
      <Field label="Summary" hint="One sentence that debaters read first.">
        <Input required maxLength={1000} value={words.summary} onChange={set('summary')} />
      </Field>
      <Field label="Why it was decided so">
        <TextArea required maxLength={2000} value={words.why} onChange={set('why')} />
      </Field>
      <Field label="Cues, one a line" hint="What another case must share to be alike.">
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
