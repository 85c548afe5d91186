import { useId } from 'react';
import { InputField } from '../../components/field.tsx';

interface OfferedSystem {
  name: string;
  does: string;
  takesModel: boolean;
}

interface SystemFieldsProps {
  systems: readonly OfferedSystem[];
  picked: readonly string[];
  onPick: (names: readonly string[]) => void;
  others: string;
  onOthers: (names: string) => void;
}

/** So many are shown at once: the debate and what it is usually held against. */
const shownFirst = 6;

/** What can be measured, each with a line; those with a model of one's own are written. */
export function SystemFields({ systems, picked, onPick, others, onOthers }: SystemFieldsProps) {
  const named = systems.filter(({ takesModel }) => !takesModel);
  const open = systems.filter(({ takesModel }) => takesModel);
  /** In the order of the list, whatever was clicked first: the others are compared with the first. */
  const pick = (name: string, isPicked: boolean) =>
    onPick(named.flatMap((one) => ((one.name === name ? isPicked : picked.includes(one.name)) ? [one.name] : [])));
  const list = { picked, onPick: pick };
  return (
    <fieldset className="grid gap-3 rounded-lg border p-3">
      <legend className="px-1 text-sm font-medium">Systems</legend>
      <SystemList label="Systems to measure" systems={named.slice(0, shownFirst)} {...list} />
      <details>
        <summary className="text-sm font-medium">More systems</summary>
        <div className="mt-3 grid gap-4">
          <SystemList label="More systems to measure" systems={named.slice(shownFirst)} {...list} />
          {open.length > 0 && (
            <InputField
              label="With other models, separated by commas"
              placeholder={open[0]!.name}
              spellCheck={false}
              maxLength={500}
              value={others}
              onChange={onOthers}
              hint={open.map(({ name, does }) => (
                <span key={name} className="block">
                  <code className="words font-mono">{name}</code> {does}
                </span>
              ))}
            />
          )}
        </div>
      </details>
      <p className="text-sm text-quiet">Each is compared with the first, on the same items.</p>
    </fieldset>
  );
}

interface SystemListProps {
  label: string;
  systems: readonly OfferedSystem[];
  picked: readonly string[];
  onPick: (name: string, isPicked: boolean) => void;
}

function SystemList({ label, systems, picked, onPick }: SystemListProps) {
  const id = useId();
  return (
    <ul aria-label={label} className="grid gap-3 sm:grid-cols-2">
      {systems.map(({ name, does }) => (
        <li key={name} className="flex items-start gap-2">
          <input
            id={`${id}-${name}`}
            type="checkbox"
            className="mt-0.5 size-4.5 flex-none accent-link"
            aria-describedby={`${id}-${name}-does`}
            checked={picked.includes(name)}
            onChange={({ target }) => onPick(name, target.checked)}
          />
          <span className="min-w-0">
            <label htmlFor={`${id}-${name}`} className="words font-medium">
              {name}
            </label>
            <span id={`${id}-${name}-does`} className="block text-sm text-quiet">
              {does}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
