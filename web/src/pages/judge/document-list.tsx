import { FileText, X } from 'lucide-react';

export function DocumentList({ files, onRemove }: { files: readonly File[]; onRemove: (file: File) => void }) {
  if (files.length === 0) return null;
  return (
    <ul aria-label="Documents to be judged" className="grid gap-2">
      {files.map((file, index) => (
        <li key={index} className="flex items-center justify-between gap-3 rounded-lg border bg-paper px-3 py-2">
          <span className="flex min-w-0 items-center gap-2">
            <FileText aria-hidden className="size-4 flex-none text-quiet" />
            <span className="words truncate">{file.name}</span>
            <span className="text-sm whitespace-nowrap text-quiet">{size(file.size)}</span>
          </span>
          <button
            type="button"
            aria-label={`Take out ${file.name}`}
            onClick={() => onRemove(file)}
            className="text-quiet hover:text-ink"
          >
            <X aria-hidden className="size-4" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function size(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
