import { Checkbox, InputField, SelectField, TextAreaField } from '../../components/field.tsx';
import type { FormProps, JobForm } from '../console-job.ts';
import { type FormField, type InputSchema, listFormFields, readInput, readNamedSource } from './input-fields.ts';

/** A form made from the JSON schema of a job's input; without one, a field for text or JSON. */
export function createForm(job: string, schema: InputSchema | null): JobForm {
  const fields = listFormFields(schema);
  return {
    Fields: (props) => <InputFields fields={fields} {...props} />,
    methods: [],
    samples: [],
    accepts: () => false,
    addFiles: (draft) => draft,
    findMissing: ({ texts }) => {
      const read = readInput(fields, texts);
      return 'problem' in read ? read.problem : null;
    },
    makeOrder: ({ texts }) => {
      const read = readInput(fields, texts);
      const written = fields.filter(({ kind, name }) => kind === 'text' && (texts[name] ?? '').trim() !== '');
      return {
        known: { sources: written.map(({ name }) => readNamedSource({ id: name, text: texts[name]! })) },
        files: new Map(),
        stream({ cases }, signal) {
          if ('problem' in read) throw new Error(read.problem);
          return cases.stream(job, read.input, { signal });
        },
      };
    },
    makeItem({ texts }) {
      const read = readInput(fields, texts);
      return { item: 'problem' in read ? {} : read.input, files: [] };
    },
    repeatOrder: () => null,
  };
}

interface InputFieldsProps extends Pick<FormProps, 'draft' | 'onChange'> {
  fields: readonly FormField[];
}

function InputFields({ fields, draft: { texts }, onChange }: InputFieldsProps) {
  return fields.map(({ name, title, hint, kind, options, isRequired }) => {
    const set = (value: string) => onChange({ texts: { ...texts, [name]: value } });
    const shared = { label: isRequired ? title : `${title} (optional)`, hint, value: texts[name] ?? '', onChange: set };
    if (kind === 'flag')
      return (
        <Checkbox
          key={name}
          label={title}
          checked={shared.value === 'true'}
          onChange={(event) => set(String(event.target.checked))}
        />
      );
    if (kind === 'choice')
      return <SelectField key={name} {...shared} none="Choose" options={options.map((option) => [option, option])} />;
    if (kind === 'number') return <InputField key={name} {...shared} type="number" step="any" />;
    const isJson = kind === 'json';
    return (
      <TextAreaField
        key={name}
        {...shared}
        rows={fields.length > 2 ? 3 : 6}
        dir="auto"
        look={isJson ? 'font-mono text-sm' : undefined}
        spellCheck={isJson ? false : undefined}
      />
    );
  });
}
