import { useId } from 'react';
import { KeyHint } from '../../components/hotkeys.tsx';
import { LabelRadio } from '../../components/badge.tsx';
import { classes } from '../../components/tones.ts';

interface LabelChoiceProps {
  legend: string;
  labels: readonly string[];
  value: string | null;
  onChange: (label: string) => void;
  disabled?: boolean;
  describedBy?: string | undefined;
  keys?: boolean;
}

const look = classes(
  'min-h-11 gap-2.5 bg-surface px-3 py-2 font-medium transition-colors not-has-disabled:cursor-pointer',
  'not-has-disabled:hover:border-quiet has-focus-visible:outline-offset-2 has-disabled:cursor-not-allowed',
  'has-disabled:text-quiet [&>svg]:size-4.5',
);

/** One of the labels of a project. With `keys`, 1 to 9 choose them. */
export function LabelChoice({ legend, labels, value, onChange, disabled, describedBy, keys }: LabelChoiceProps) {
  const name = useId();
  return (
    <fieldset className="grid min-w-0 gap-2" disabled={disabled} aria-describedby={describedBy}>
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      {labels.map((label, index) => (
        <LabelRadio
          key={label}
          label={label}
          look={look}
          name={name}
          value={label}
          checked={value === label}
          onChange={() => onChange(label)}
          aria-keyshortcuts={keys && index < 9 ? String(index + 1) : undefined}
          className="size-4 flex-none accent-link outline-none"
        >
          {keys && index < 9 && (
            <span aria-hidden>
              <KeyHint>{String(index + 1)}</KeyHint>
            </span>
          )}
        </LabelRadio>
      ))}
    </fieldset>
  );
}
