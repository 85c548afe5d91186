import { Check, CircleDashed } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { AnnotationItem } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { useHotkeys } from '../../components/hotkeys.tsx';
import { Paragraph } from '../../components/text.tsx';
import { classes } from '../../components/tones.ts';
import { imagePartName, useSeen, type Viewing } from './use-viewing.ts';
import { type ImageView, ZoomImage, zoomSteps } from './zoom-image.tsx';

const texts = [
  ['text', 'Text'],
  ['prompt', 'Prompt'],
  ['response', 'Response'],
] as const;

interface ItemPartsProps {
  project: string;
  item: AnnotationItem;
  viewing: Viewing;
  /** B and Z reveal and zoom. */
  keys?: boolean;
}

/** An item as it is judged: image and text side by side, on a phone one beneath the other. */
export function ItemParts({ project, item, viewing: { seen, mark }, keys = false }: ItemPartsProps) {
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
              src={`/api/annotations/${encodeURIComponent(project)}/images/${encodeURIComponent(hash)}`}
              view={{ revealed, onReveal: setRevealed, zoom, onZoom: setZoom }}
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

const lookedMs = 900;

interface PartProps {
  title: string;
  viewed: boolean;
  onViewed: () => void;
}

/** An image; it was viewed when it was shown, loaded, and before somebody's eyes for a moment. */
function ImagePart({ title, src, view, viewed, onViewed }: PartProps & { src: string; view: ImageView }) {
  const [loaded, setLoaded] = useState(false);
  const { revealed } = view;
  const frame = useSeen<HTMLDivElement>({ active: revealed && loaded && !viewed, ms: lookedMs, onSeen: onViewed });
  return (
    <PartFrame title={title} viewed={viewed} missing={revealed ? 'Not viewed yet' : 'Show it first'}>
      <ZoomImage src={src} alt={title} {...view} onLoad={() => setLoaded(true)} frame={frame} />
    </PartFrame>
  );
}

const readMs = 500;

/** A text; it was viewed when its end was. */
function TextPart({ title, text, viewed, onViewed }: PartProps & { text: string }) {
  const end = useSeen<HTMLSpanElement>({ active: !viewed, ms: readMs, onSeen: onViewed });
  return (
    <PartFrame title={title} viewed={viewed} missing="Read to the end">
      <div
        tabIndex={0}
        role="group"
        aria-label={title}
        className={classes(
          'max-h-[62vh] overflow-y-auto rounded-lg border bg-paper p-4 text-lg leading-relaxed',
          'focus-visible:outline-offset-[-3px]',
        )}
      >
        <Paragraph text={text} />
        <span ref={end} aria-hidden className="block h-2" />
      </div>
    </PartFrame>
  );
}

interface PartFrameProps {
  title: string;
  viewed: boolean;
  missing: string;
  children: ReactNode;
}

function PartFrame({ title, viewed, missing, children }: PartFrameProps) {
  return (
    <section aria-label={title} className="grid min-w-0 content-start gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">{title}</h3>
        {viewed ? (
          <Badge icon={Check} tone="exoneration">
            Viewed
          </Badge>
        ) : (
          <Badge icon={CircleDashed} tone="caution">
            {missing}
          </Badge>
        )}
      </div>
      {children}
    </section>
  );
}
