import { useEffect, useEffectEvent } from 'react';
import { Button } from '../../components/button.tsx';
import { FileDrop } from '../../components/file-drop.tsx';

interface ChosenFilesProps {
  label: string;
  hint: string;
  files: readonly File[];
  onChange: (files: readonly File[]) => void;
  /** Told of files that were added. */
  onAdded: (added: readonly File[]) => void;
}

/** The items and what they name: dropped or chosen, listed, taken off again. */
export function ChosenFiles({ label, hint, files, onChange, onAdded }: ChosenFilesProps) {
  return (
    <>
      <FileDrop
        multiple
        label={label}
        hint={hint}
        onFiles={(added) => {
          onChange([...files.filter((file) => !added.some((one) => one.name === file.name)), ...added]);
          onAdded(sortListFirst(added));
        }}
      />
      {files.length > 0 && (
        <ul aria-label="Files" className="grid gap-1">
          {sortListFirst(files).map((file) => (
            <li key={file.name} className="flex items-center justify-between gap-3">
              <span className="words min-w-0">
                {file.name}{' '}
                <span className="text-sm text-quiet">{Math.ceil(file.size / 1024).toLocaleString()} kB</span>
              </span>
              <Button
                size="small"
                variant="quiet"
                onClick={() => onChange(files.filter((one) => one !== file))}
                aria-label={`Remove ${file.name}`}
              >
                Remove{' '}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface Asked {
  reset: () => void;
}

/** What was said of an order holds until it is changed. */
export function useChangedOrder(order: object, files: readonly File[], ...asked: readonly Asked[]): void {
  const forget = useEffectEvent(() => asked.forEach((one) => one.reset()));
  const stamp = JSON.stringify([order, files.map(({ name, size, lastModified }) => [name, size, lastModified])]);
  useEffect(() => forget(), [stamp]);
}

/** The list of items comes first; what it refers to follows. */
export function sortListFirst(files: readonly File[]): File[] {
  return files.toSorted(
    (one, other) =>
      Number(/\.(?:jsonl|ndjson|json|eval|csv|tsv)$/i.test(other.name)) -
      Number(/\.(?:jsonl|ndjson|json|eval|csv|tsv)$/i.test(one.name)),
  );
}
