import { type ComponentProps, createContext, type ReactNode, use, useId, useState } from 'react';
import { Button, type ButtonVariant } from './button.tsx';
import { ProblemNotice } from './page.tsx';
import { classes } from './tones.ts';

interface Described {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
}

const FieldContext = createContext<Described | null>(null);

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  className?: string;
  hideLabel?: boolean;
}

/** A label with what it labels: an Input, TextArea or Select within it is tied to it. */
export function Field({ label, hint, error, children, className, hideLabel }: FieldProps & { children: ReactNode }) {
  const id = useId();
  const describedBy = classes(hint ? `${id}-hint` : null, error ? `${id}-error` : null) || undefined;
  return (
    <div className={classes('grid content-start gap-1', className)}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      <FieldContext value={{ id, describedBy, invalid: Boolean(error) }}>{children}</FieldContext>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-quiet">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm text-risk">
          {error}
        </p>
      )}
    </div>
  );
}

const inputLook =
  'w-full rounded-lg border border-quiet/60 bg-surface px-3 py-2 text-ink placeholder:text-quiet ' +
  'disabled:opacity-60 aria-invalid:border-risk';

function useFieldProps() {
  const field = use(FieldContext);
  return field
    ? { id: field.id, 'aria-describedby': field.describedBy, 'aria-invalid': field.invalid || undefined }
    : {};
}

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...useFieldProps()} className={classes(inputLook, 'min-h-10', className)} {...rest} />;
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea {...useFieldProps()} className={classes(inputLook, 'min-h-24 leading-relaxed', className)} {...rest} />
  );
}

export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...useFieldProps()} className={classes(inputLook, 'min-h-10', className)} {...rest} />;
}

type ControlProps<Element extends 'input' | 'textarea' | 'select'> = FieldProps &
  Omit<ComponentProps<Element>, keyof FieldProps | 'value' | 'onChange'> & {
    value: string;
    onChange: (value: string) => void;
    look?: string;
  };

export type Option = readonly [value: string, title: string];

/** Options that are called as they are, with a capital. */
export function nameOptions(...values: readonly string[]): Option[] {
  return values.map((value) => [value, value.charAt(0).toUpperCase() + value.slice(1)]);
}

/** A line to write; `suggestions` can be chosen instead. */
export function InputField(props: ControlProps<'input'> & { suggestions?: readonly Option[] }) {
  const { label, hint, error, className, hideLabel, look, onChange, suggestions, ...rest } = props;
  const list = useId();
  return (
    <Field {...{ label, hint, error, className, hideLabel }}>
      <Input className={look} list={suggestions && list} onChange={(event) => onChange(event.target.value)} {...rest} />
      {suggestions && (
        <datalist id={list}>
          <Options options={suggestions} />
        </datalist>
      )}
    </Field>
  );
}

export function TextAreaField(props: ControlProps<'textarea'>) {
  const { label, hint, error, className, hideLabel, look, onChange, ...rest } = props;
  return (
    <Field {...{ label, hint, error, className, hideLabel }}>
      <TextArea className={look} onChange={(event) => onChange(event.target.value)} {...rest} />
    </Field>
  );
}

/** One of several; `none` is what the choice of nothing is called. A value that is not among them is shown as it is. */
export function SelectField(props: ControlProps<'select'> & { options?: readonly Option[]; none?: string }) {
  const { label, hint, error, className, hideLabel, look, onChange, options = [], none, children, ...rest } = props;
  const { value } = rest;
  const isListed = value === '' || children !== undefined || options.some(([option]) => option === value);
  return (
    <Field {...{ label, hint, error, className, hideLabel }}>
      <Select className={look} onChange={(event) => onChange(event.target.value)} {...rest}>
        {none !== undefined && <option value="">{none}</option>}
        <Options options={isListed ? options : [...options, [value, value]]} />
        {children}
      </Select>
    </Field>
  );
}

function Options({ options }: { options: readonly Option[] }) {
  return options.map(([value, title]) => (
    <option key={value} value={value}>
      {title}
    </option>
  ));
}

export function Checkbox({ label, className, ...rest }: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode }) {
  const id = useId();
  return (
    <span className={classes('inline-flex items-center gap-2', className)}>
      <input id={id} type="checkbox" className="size-4.5 accent-link" {...rest} />
      <label htmlFor={id}>{label}</label>
    </span>
  );
}

interface ChecklistProps<Name extends string> {
  legend: string;
  options: readonly (readonly [name: Name, title: ReactNode])[];
  chosen: readonly Name[];
  onChange: (chosen: readonly Name[]) => void;
  /** How one of them looks. */
  look?: string;
}

/** Any of several; what is chosen stays in the order of the options. */
export function Checklist<Name extends string>({ legend, options, chosen, onChange, look }: ChecklistProps<Name>) {
  const tick = (name: Name, isOn: boolean) =>
    onChange(options.flatMap(([one]) => ((one === name ? isOn : chosen.includes(one)) ? [one] : [])));
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      {options.map(([name, title]) => (
        <Checkbox
          key={name}
          className={look}
          label={title}
          checked={chosen.includes(name)}
          onChange={({ target }) => tick(name, target.checked)}
        />
      ))}
    </fieldset>
  );
}

export interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  onSubmit: () => void;
  /** What sends it: its error stands above the button, which is busy meanwhile. */
  sending?: { isPending: boolean; error: unknown };
  submit?: string;
  submitLook?: { variant?: ButtonVariant; disabled?: boolean; className?: string };
}

interface DayRangeProps {
  from: string | undefined;
  to: string | undefined;
  onChange: (change: { from?: string; to?: string }) => void;
}

/** From one day to another, both of them whole. */
export function DayRange({ from, to, onChange }: DayRangeProps) {
  return (
    <>
      <InputField label="From" type="date" value={from ?? ''} max={to} onChange={(day) => onChange({ from: day })} />
      <InputField label="Until" type="date" value={to ?? ''} min={from} onChange={(day) => onChange({ to: day })} />
    </>
  );
}

/** What the fields of a form hold, and what ties one of them to it: `{...field('name')}`. */
export function useFields<Fields extends Record<string, string>>(first: Fields) {
  const [given, setGiven] = useState(first);
  const field = (name: keyof Fields & string) => ({
    value: given[name]!,
    onChange: (value: string) => setGiven({ ...given, [name]: value }),
  });
  return { given, field, setGiven, reset: () => setGiven(first) };
}

/** A form that is sent without leaving the page. */
export function Form({ onSubmit, sending, submit, submitLook, children, ...rest }: FormProps) {
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      {...rest}
    >
      {children}
      {sending && sending.error !== null && <ProblemNotice error={sending.error} />}
      {submit !== undefined && (
        <Button type="submit" variant="primary" busy={sending?.isPending} {...submitLook}>
          {submit}
        </Button>
      )}
    </form>
  );
}
