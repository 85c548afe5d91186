import { useState } from 'react';
import { zoomSteps } from '../../components/zoom-image.tsx';
import { useHotkeys } from '../../components/use-hotkeys.ts';
import type { AnnotationItem } from '../../api/types.ts';
import { imageUrl } from './annotations-query.ts';
import { ImagePart } from './image-part.tsx';
import { TextPart } from './text-part.tsx';
import { imagePartName, type Viewing } from './use-viewing.ts';

const texts = [
  ['text', 'Text'],
  ['prompt', 'Prompt'],
  ['response', 'Response'],
] as const;

/** An item as it is judged: image and text side by side, on a phone one beneath the other. */
export function ItemParts({
  project,
  item,
  viewing: { seen, mark },
  keys = false,
}: {
  project: string;
  item: AnnotationItem;
  viewing: Viewing;
  /** B and Z reveal and zoom. */ keys?: boolean;
}) {
  const [revealed, setRevealed] = useState(false);
  const [zoom, setZoom] = useState(1);
  const larger = () => setZoom(zoomSteps[(zoomSteps.findIndex((step) => step >= zoom) + 1) % zoomSteps.length]!);
  useHotkeys({ b: () => setRevealed(!revealed), z: () => revealed && larger() }, keys && item.images.length > 0);
  return (
    <div
      className={
        item.images.length > 0 && item.parts.length > 1
          ? 'grid gap-5 md:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:grid-cols-1 ' +
            'xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]'
          : 'grid gap-5'
      }
    >
      {item.images.length > 0 && (
        <div className="grid min-w-0 content-start gap-5">
          {item.images.map(({ hash }, number) => (
            <ImagePart
              key={hash}
              title={item.images.length === 1 ? 'Image' : `Image ${number + 1} of ${item.images.length}`}
              src={imageUrl(project, hash)}
              revealed={revealed}
              onReveal={setRevealed}
              zoom={zoom}
              onZoom={setZoom}
              viewed={seen.has(imagePartName(number))}
              onViewed={() => mark(imagePartName(number))}
            />
          ))}
        </div>
      )}
      {item.parts.some((part) => part !== 'image') && (
        <div className="grid min-w-0 content-start gap-5">
          {texts.map(
            ([part, title]) =>
              item[part] !== null && (
                <TextPart
                  key={part}
                  title={title}
                  text={item[part]}
                  viewed={seen.has(part)}
                  onViewed={() => mark(part)}
                />
              ),
          )}
        </div>
      )}
    </div>
  );
}
