import { FileText, X } from 'lucide-react';
import { FileDrop } from '../../components/file-drop.tsx';
import type { ConsoleDraft, FormProps, JobForm, ConsoleOrder } from '../console-job.ts';
import { ContextFields, findContextMistake, readContextDraft } from '../context-fields.tsx';
import { writeOptions } from '../job-parts.ts';

const methods = [
  ['debate', 'Debate'],
  ['single', 'One agent'],
  ['vote', 'Independent votes'],
  ['zero-shot', 'Single question'],
] as const;

export const documentsForm: JobForm = {
  Fields,
  methods,
  samples: [],
  accepts: () => true,
  addFiles: (draft, files) => ({ ...draft, files: [...draft.files, ...files] }),
  findMissing: ({ files, texts }) => (files.length === 0 ? 'Add a document.' : findContextMistake(texts)),
  makeOrder,
  makeItem: ({ files, texts }) => ({
    item: { files: files.map(({ name }) => name), ...readContextDraft(texts) },
    files,
  }),
  // What was read is on record, but the files are not at hand.
  repeatOrder: () => null,
};

function makeOrder(draft: ConsoleDraft): ConsoleOrder {
  const { files } = draft;
  return {
    known: { documents: files.map(({ name }) => name) },
    files: new Map(),
    stream(client, signal) {
      const { sensitivity: _, policy: __, ...options } = writeOptions(draft.options, methods);
      return client.analyses.stream({ files, ...readContextDraft(draft.texts), ...options }, { signal });
    },
  };
}

function Fields({ draft: { files, texts }, onChange, onFiles }: FormProps) {
  return (
    <>
      {files.length > 0 && (
        <ul aria-label="Documents to be judged" className="grid gap-2">
          {files.map((file, index) => (
            <li key={index} className="flex items-center justify-between gap-3 rounded-lg border bg-paper px-3 py-2">
              <span className="flex min-w-0 items-center gap-2">
                <FileText aria-hidden className="size-4 flex-none text-quiet" />
                <span className="words truncate">{file.name}</span>
                <span className="text-sm whitespace-nowrap text-quiet">{formatSize(file.size)}</span>
              </span>
              <button
                type="button"
                aria-label={`Remove ${file.name}`}
                onClick={() => onChange({ files: files.filter((other) => other !== file) })}
                className="text-quiet hover:text-ink"
              >
                <X aria-hidden className="size-4" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <FileDrop
        label="Add documents"
        hint="PDF, XLSX, CSV, JSON, DOCX, HTML, Markdown, text. Several files form one dossier."
        multiple
        onFiles={onFiles}
        className="bg-paper"
      />
      <ContextFields isShown={false} texts={texts} onChange={(written) => onChange({ texts: written })} />
    </>
  );
}

function formatSize(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.max(1, Math.round(bytes / 1024))} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
