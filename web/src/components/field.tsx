import { type ComponentProps, createContext, type ReactNode, use, useId } from 'react';
import { classes } from './tones.ts';

interface Described {
  id: string;
  describedBy: string | undefined;
  invalid: boolean;
}

const FieldContext = createContext<Described | null>(null);

/** A label with what it labels: an Input, TextArea or Select within it is tied to it. */
export function Field({
  label,
  hint,
  error,
  children,
  className,
  hideLabel = false,
}: {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  children: ReactNode;
  className?: string;
  hideLabel?: boolean;
}) {
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

/** A box to tick, with its words. */
export function Checkbox({ label, className, ...rest }: Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode }) {
  const id = useId();
  return (
    <span className={classes('inline-flex items-center gap-2', className)}>
      <input id={id} type="checkbox" className="size-4.5 accent-link" {...rest} />
      <label htmlFor={id}>{label}</label>
    </span>
  );
}
