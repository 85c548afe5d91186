import { FileText, Info } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { lazy, Suspense, useState } from 'react';
import { Loading } from '../../../components/page.tsx';
import { classes, panels } from '../../../components/tones.ts';
import { type ReportDocument, type TraceSide, sideTitles, sideTones } from '../analysis-types.ts';
import { BlocksView } from './blocks-view.tsx';
import type { Highlight, Pointed } from './highlights.ts';
import { ImageView } from './image-view.tsx';

const PdfView = lazy(async () => ({ default: (await import('./pdf-view.tsx')).PdfView }));

/** A file as it is kept; its document is known when the analysis has come. */
export interface ShownFile {
  /** Where the file itself can be had; null when it is not kept. */
  url: string | null;
  mediaType: string | null;
  name: string;
  document: ReportDocument | null;
}

/** The files of a dossier, one at a time, with what of them is cited. */
export function DocumentPane({
  files,
  chosen,
  onChoose,
  highlights,
  pointed,
  onPick,
}: {
  files: readonly ShownFile[];
  chosen: number;
  onChoose: (index: number) => void;
  highlights: readonly Highlight[];
  pointed: Pointed | null;
  onPick: (id: string) => void;
}) {
  const file = files[chosen];
  const here = highlights.filter(({ grounding }) => grounding.document === file?.document);
  return (
    <section aria-label="The documents" className="h-full min-h-0">
      <Tabs.Root
        value={String(chosen)}
        onValueChange={(index) => onChoose(Number(index))}
        className="flex h-full min-h-0 flex-col overflow-hidden rounded-xl border bg-surface"
      >
        <Tabs.List aria-label="Files" className="flex min-w-0 overflow-x-auto border-b px-2">
          {files.map(({ name }, index) => (
            <Tabs.Trigger
              key={name}
              value={String(index)}
              className={classes(
                'flex flex-none items-center gap-1.5 border-b-2 border-transparent px-2.5 py-2 text-sm font-medium',
                'text-quiet -outline-offset-2 hover:text-ink data-[state=active]:border-link',
                'data-[state=active]:text-ink',
              )}
            >
              <FileText aria-hidden className="size-4 flex-none" /> <span className="max-w-56 truncate">{name}</span>
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {file ? (
          <Tabs.Content value={String(chosen)} tabIndex={-1} className="min-h-0 flex-1">
            <FileView
              key={`${file.name} ${file.url}`}
              file={file}
              highlights={here}
              pointed={pointed}
              onPick={onPick}
            />
          </Tabs.Content>
        ) : (
          <div className="flex-1 p-6">
            <Loading lines={8} />
          </div>
        )}
        <Legend highlights={here} />
      </Tabs.Root>
    </section>
  );
}

function FileView({
  file,
  highlights,
  pointed,
  onPick,
}: {
  file: ShownFile;
  highlights: readonly Highlight[];
  pointed: Pointed | null;
  onPick: (id: string) => void;
}) {
  const [failed, setFailed] = useState(false);
  const { document, url, mediaType, name } = file;
  const waiting = (
    <div className="p-6">
      <Loading lines={8} what={`Opening ${name}`} />
    </div>
  );
  if (url !== null && mediaType === 'application/pdf' && !failed) {
    return (
      <Suspense fallback={waiting}>
        <PdfView
          url={url}
          name={name}
          sizes={document?.pages ?? null}
          highlights={highlights}
          pointed={pointed}
          onPick={onPick}
          onFail={() => setFailed(true)}
        />
      </Suspense>
    );
  }
  if (!document) return waiting;
  const [page] = document.pages ?? [];
  if (url !== null && page && mediaType !== null && /^image\/(?:png|jpeg|gif|webp|bmp)$/.test(mediaType))
    return <ImageView url={url} name={name} size={page} highlights={highlights} pointed={pointed} onPick={onPick} />;
  return (
    <div className="flex h-full min-h-0 flex-col">
      {(document.kind === 'pdf' || document.kind === 'image') && (
        <p className="flex items-start gap-2 border-b bg-caution-ground px-4 py-2 text-sm text-caution">
          <Info aria-hidden className="mt-0.5 size-4 flex-none" />{' '}
          {failed ? 'The file could not be displayed.' : explainMissingFile(document)} This is its extracted text.
        </p>
      )}
      <div className="min-h-0 flex-1">
        <BlocksView document={document} highlights={highlights} pointed={pointed} onPick={onPick} />
      </div>
    </div>
  );
}

/** Where a file was too large, its notes say so. */
function explainMissingFile({ notes }: ReportDocument): string {
  return (
    notes.find((note) => note.includes('not kept in the ledger')) ??
    'The original file is not stored: it was analysed before files were kept, or storing them is turned off.'
  );
}

const sides: readonly TraceSide[] = ['for', 'against', 'number', 'origin', 'seen'];

/** Colour key, of those that are there. */
function Legend({ highlights }: { highlights: readonly Highlight[] }) {
  const there = sides.filter((side) => highlights.some((highlight) => highlight.side === side));
  return (
    <ul
      aria-label="Colour key"
      className="flex min-h-7 flex-wrap items-center gap-x-4 border-t px-3 py-1 text-xs text-quiet"
    >
      {there.length === 0 && <li>Nothing in this file is cited here.</li>}
      {there.map((side) => (
        <li key={side} className="flex items-center gap-1">
          <span aria-hidden className={classes('size-3 rounded-xs border-b-2', panels[sideTones[side]])} />{' '}
          {sideTitles[side]}
        </li>
      ))}
    </ul>
  );
}
