import { Checkbox, Field, Input, Select, TextArea } from '../../components/field.tsx';
import type { TrialEvent } from '../../trial/trial-view.ts';
import type { Draft, FormProps, JobForm, Order } from '../console-job.ts';
import { type InputField, type JsonSchema, listInputFields, readInput } from './input-fields.ts';

/** How a case of the job is asked for, from what its input holds. */
export type AskForCase = (input: unknown, signal: AbortSignal) => AsyncIterable<TrialEvent>;

/** A form made from the JSON schema of a job's input; without one, a field for text or JSON. */
export function createForm(
  schema: JsonSchema | null,
  ask: (client: Parameters<Order['stream']>[0]) => AskForCase,
): JobForm {
  const fields = listInputFields(schema);
  const makeOrder = (draft: Draft): Order => {
    const read = readInput(fields, draft.texts);
    const texts = fields.filter(({ kind, name }) => kind === 'text' && (draft.texts[name] ?? '').trim() !== '');
    return {
      known: {
        sources: texts.map(({ name }) => ({
          id: name,
          text: draft.texts[name]!,
          speaker: null,
          isAnswer: false,
          tool: null,
          of: null,
          note: null,
        })),
      },
      images: [],
      async *stream(client, signal) {
        if ('problem' in read) throw new Error(read.problem);
        yield* ask(client)(read.input, signal);
      },
    };
  };
  return {
    Fields: ({ draft, onChange }) => <InputFields fields={fields} draft={draft} onChange={onChange} />,
    methods: [],
    samples: [],
    accepts: () => false,
    addFiles: (draft) => draft,
    findMissing: ({ texts }) => {
      const read = readInput(fields, texts);
      return 'problem' in read ? read.problem : null;
    },
    makeOrder,
    repeatOrder: () => null,
  };
}

function InputFields({
  fields,
  draft: { texts },
  onChange,
}: Pick<FormProps, 'draft' | 'onChange'> & { fields: readonly InputField[] }) {
  const set = (name: string, value: string) => onChange({ texts: { ...texts, [name]: value } });
  return fields.map(({ name, title, hint, kind, options, isRequired }) => {
    const value = texts[name] ?? '';
    const label = isRequired ? title : `${title} (optional)`;
    if (kind === 'flag')
      return (
        <Checkbox
          key={name}
          label={title}
          checked={value === 'true'}
          onChange={(event) => set(name, String(event.target.checked))}
        />
      );
    return (
      <Field key={name} label={label} hint={hint}>
        {kind === 'choice' ? (
          <Select value={value} onChange={(event) => set(name, event.target.value)}>
            <option value="">Choose</option>
            {options.map((option) => (
              <option key={option} value={option}>
                {option}
              </option>
            ))}
          </Select>
        ) : kind === 'number' ? (
          <Input type="number" step="any" value={value} onChange={(event) => set(name, event.target.value)} />
        ) : (
          <TextArea
            value={value}
            onChange={(event) => set(name, event.target.value)}
            rows={fields.length > 2 ? 3 : 6}
            dir="auto"
            className={kind === 'json' ? 'font-mono text-sm' : undefined}
            spellCheck={kind === 'json' ? false : undefined}
          />
        )}
      </Field>
    );
  });
}
