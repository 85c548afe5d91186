import { X } from 'lucide-react';
import { BlurredImage, useObjectUrls } from '../../components/blurred-image.tsx';
import { Player } from '../../components/player.tsx';
import { classes } from '../../components/tones.ts';
import { findMediaKind, formatMegabytes } from './media-files.ts';

/** Files that are to be judged, each with a way to take it out. */
export function FileList({ files, onRemove }: { files: readonly File[]; onRemove: (file: File) => void }) {
  const urls = useObjectUrls(files);
  if (files.length === 0) return null;
  return (
    <ul aria-label="Files to be judged" className="flex flex-wrap gap-4">
      {files.map((file, index) => {
        const [url, name] = [urls[index], file.name || `File ${index + 1}`];
        const kind = findMediaKind(file);
        return (
          <li
            key={url ?? index}
            className={classes('relative', kind !== 'image' && 'w-full rounded-lg border bg-paper p-3 sm:max-w-md')}
          >
            {kind === 'image' ? (
              url && <BlurredImage src={url} alt={name} className="h-28" />
            ) : (
              <div className="grid gap-2">
                <p className="words pr-6 text-sm">
                  {name} <span className="text-quiet">{formatMegabytes(file.size)} MB</span>
                </p>
                {url && kind && <Player kind={kind} src={url} title={name} cue={null} captions={none} />}
              </div>
            )}
            <button
              type="button"
              aria-label={`Remove ${name}`}
              onClick={() => onRemove(file)}
              className={classes(
                'absolute -top-2 -right-2 grid size-7 place-items-center rounded-full border bg-surface text-quiet',
                'shadow hover:text-ink',
              )}
            >
              <X aria-hidden className="size-4" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}

const none: readonly never[] = [];
