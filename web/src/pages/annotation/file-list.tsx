import { FileText, Image, X } from 'lucide-react';
import { Button } from '../../components/button.tsx';

const shownImages = 6;

/** What was dropped. Of many images the first are named. */
export function FileList({
  dataset,
  images,
  remove,
}: {
  dataset: File | null;
  images: readonly File[];
  remove: (file: File) => void;
}) {
  const more = images.length - shownImages;
  return (
    <ul aria-label="Files" className="flex flex-wrap gap-2">
      {[...(dataset ? [dataset] : []), ...images.slice(0, shownImages)].map((file) => (
        <li key={file.name} className="flex max-w-full items-center gap-1.5 rounded-lg border py-0.5 pl-2.5 text-sm">
          {file === dataset ? (
            <FileText aria-hidden className="size-4 flex-none" />
          ) : (
            <Image aria-hidden className="size-4 flex-none" />
          )}
          <span className="truncate">{file.name}</span>
          <Button size="small" variant="quiet" aria-label={`Leave ${file.name} out`} onClick={() => remove(file)}>
            <X aria-hidden className="size-4" />
          </Button>
        </li>
      ))}
      {more > 0 && <li className="self-center text-sm text-quiet">and {more.toLocaleString()} more images</li>}
    </ul>
  );
}
