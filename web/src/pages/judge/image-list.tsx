import { X } from 'lucide-react';
import { BlurredImage } from '../../components/blurred-image.tsx';
import { useObjectUrls } from './use-object-urls.ts';

/** Images that are to be judged, each with a way to take it out. */
export function ImageList({ images, onRemove }: { images: readonly File[]; onRemove: (image: File) => void }) {
  const urls = useObjectUrls(images);
  if (images.length === 0) return null;
  return (
    <ul aria-label="Images to be judged" className="flex flex-wrap gap-4">
      {images.map((image, index) => (
        <li key={urls[index] ?? index} className="relative">
          {urls[index] && <BlurredImage src={urls[index]} alt={image.name || `Image ${index + 1}`} className="h-28" />}
          <button
            type="button"
            aria-label={`Take out ${image.name || `image ${index + 1}`}`}
            onClick={() => onRemove(image)}
            className="absolute -top-2 -right-2 grid size-7 place-items-center rounded-full border bg-surface text-quiet shadow hover:text-ink"
          >
            <X aria-hidden className="size-4" />
          </button>
        </li>
      ))}
    </ul>
  );
}
