import { Upload } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { classes } from './tones.ts';

interface FileDropProps {
  label: ReactNode;
  hint?: ReactNode;
  accept?: string;
  multiple?: boolean;
  onFiles: (files: readonly File[]) => void;
  className?: string;
}

/** A place to drop files on, or to choose them with the keyboard. */
export function FileDrop({ label, hint, accept, multiple = false, onFiles, className }: FileDropProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  return (
    <div
      className={classes(
        'relative grid justify-items-center gap-1 rounded-xl border-2 border-dashed p-5 text-center ' +
          'has-focus-visible:outline-3 has-focus-visible:outline-link',
        over ? 'border-link bg-implicit-ground' : 'border-line bg-surface',
        className,
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const files = [...event.dataTransfer.files];
        if (files.length > 0) onFiles(multiple ? files : files.slice(0, 1));
      }}
    >
      <Upload aria-hidden className="size-6 text-quiet" />
      <label htmlFor={id} className="font-medium text-link underline">
        {label}
      </label>
      {hint && <p className="text-sm text-quiet">{hint}</p>}
      <input
        id={id}
        type="file"
        className="absolute inset-0 cursor-pointer opacity-0"
        accept={accept}
        multiple={multiple}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // The same file may be chosen again.
          event.target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </div>
  );
}
