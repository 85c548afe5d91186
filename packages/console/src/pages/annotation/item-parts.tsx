import { Check, CircleDashed, SquareDashed } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { SentAnnotationItem } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { useHotkeys } from '../../components/hotkeys.tsx';
import { Paragraph } from '../../components/text.tsx';
import { classes } from '../../components/tones.ts';
import { MarkableText } from './marks/markable-text.tsx';
import { firstPlace, RegionLayer } from './marks/region-layer.tsx';
import type { FindingDraft, DraftSpan } from './marks/use-finding.ts';
import { imagePartName, useSeen, type ItemViewing } from './use-viewing.ts';
import { type ZoomedView, ZoomImage, zoomSteps } from './zoom-image.tsx';

const texts = [
  ['text', 'Text'],
  ['prompt', 'Prompt'],
  ['response', 'Response'],
] as const;

interface ItemPartsProps {
  project: string;
  item: SentAnnotationItem;
  viewing: ItemViewing;
  /** B and Z reveal and zoom. */
  keys?: boolean;
  /** Where somebody marks what they find. */
  draft?: FindingDraft | undefined;
}

/** An item as it is judged: image and text side by side, on a phone one beneath the other. */
export function ItemParts({ project, item, viewing: { seen, mark }, keys = false, draft }: ItemPartsProps) {
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
              hash={hash}
              draft={draft}
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
                  part={part}
                  draft={draft}
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
  draft?: FindingDraft | undefined;
}

interface ImagePartProps extends PartProps {
  src: string;
  hash: string;
  view: ZoomedView;
}

/** An image; it was viewed when it was shown, loaded, and before somebody's eyes for a moment. */
function ImagePart({ title, src, hash, view, viewed, onViewed, draft }: ImagePartProps) {
  const [loaded, setLoaded] = useState(false);
  const { revealed } = view;
  const frame = useSeen<HTMLDivElement>({ active: revealed && loaded && !viewed, ms: lookedMs, onSeen: onViewed });
  return (
    <PartFrame title={title} viewed={viewed} missing={revealed ? 'Not viewed yet' : 'Show it first'}>
      <ZoomImage
        src={src}
        alt={title}
        {...view}
        onLoad={() => setLoaded(true)}
        frame={frame}
        overlay={draft && <RegionLayer image={hash} finding={draft.finding} draft={draft} />}
        actions={
          draft && (
            <Button icon={SquareDashed} size="small" onClick={() => draft.addRegion(hash, firstPlace)}>
              Add region
            </Button>
          )
        }
      />
      {draft && revealed && (
        <p className="text-sm text-quiet">
          Draw a rectangle with the mouse, or add a region: arrow keys move it, Shift and arrow keys size it, Delete
          removes it.
        </p>
      )}
    </PartFrame>
  );
}

const readMs = 500;

/** A text; it was viewed when its end was. */
function TextPart({
  title,
  text,
  part,
  viewed,
  onViewed,
  draft,
}: PartProps & Pick<DraftSpan, 'part'> & { text: string }) {
  const end = useSeen<HTMLSpanElement>({ active: !viewed, ms: readMs, onSeen: onViewed });
  if (draft)
    return (
      <PartFrame title={title} viewed={viewed} missing="Read to the end">
        <MarkableText title={title} text={text} part={part} draft={draft} end={end} />
      </PartFrame>
    );
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
