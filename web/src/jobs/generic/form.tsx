import { Field, TextArea } from '../../components/field.tsx';
import type { FormProps, JobForm } from '../console-job.ts';

/** A job whose input the console does not know is asked in JSON, or in plain text. */
export function describeForm(_id: string): JobForm {
  return {
    Fields,
    methods: [],
    samples: [],
    accepts: () => false,
    addFiles: (draft) => draft,
    findMissing: ({ texts: { input = '' } }) => (input.trim() === '' ? 'Enter what is to be judged.' : null),
    makeOrder: () => {
      throw new Error('This server cannot be asked for this job yet.');
    },
    repeatOrder: () => null,
  };
}

function Fields({ draft: { texts }, onChange }: FormProps) {
  return (
    <Field label="Input" hint="As text, or as JSON.">
      <TextArea
        value={texts['input'] ?? ''}
        onChange={(event) => onChange({ texts: { input: event.target.value } })}
        rows={8}
        spellCheck={false}
        dir="auto"
      />
    </Field>
  );
}
