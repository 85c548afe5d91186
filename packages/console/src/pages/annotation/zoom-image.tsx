import { RevealButton } from '../../components/blurred-image.tsx';
import { ZoomIn, ZoomOut } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { KeyHint } from '../../components/hotkeys.tsx';
import { classes } from '../../components/tones.ts';

export const zoomSteps = [1, 1.5, 2, 3, 4, 6] as const;

/** How images are looked at, all of an item alike. */
export interface ZoomedView {
  revealed: boolean;
  onReveal: (revealed: boolean) => void;
  /** Times what fits. */
  zoom: number;
  onZoom: (zoom: number) => void;
}

interface ZoomImageProps extends ZoomedView {
  src: string;
  alt: string;
  onLoad: () => void;
  frame: Ref<HTMLDivElement>;
  /** What lies over the image once it is shown. */
  overlay?: ReactNode;
  /** Beside the buttons below it. */
  actions?: ReactNode;
}

/**
 * An image in all its detail, blurred until asked for. Larger than its frame, it is moved by scrolling or with the
 * arrow keys.
 */
export function ZoomImage(props: ZoomImageProps) {
  const { src, alt, revealed, onReveal, zoom, onZoom, onLoad, frame, overlay, actions } = props;
  const [failed, setFailed] = useState(false);
  const scroller = useRef<HTMLDivElement>(null);
  const before = useRef(zoom);
  useEffect(() => {
    // What was in the middle stays there.
    const place = scroller.current;
    const factor = zoom / before.current;
    before.current = zoom;
    if (!place || factor === 1) return;
    place.scrollTo({
      left: (place.scrollLeft + place.clientWidth / 2) * factor - place.clientWidth / 2,
      top: (place.scrollTop + place.clientHeight / 2) * factor - place.clientHeight / 2,
    });
  }, [zoom]);
  const step = (by: 1 | -1) => {
    const at = zoomSteps.findIndex((one) => one >= zoom);
    onZoom(zoomSteps[Math.min(zoomSteps.length - 1, Math.max(0, at + by))]!);
  };
  return (
    <figure className="grid gap-2">
      <div ref={frame} className="overflow-hidden rounded-lg border bg-paper">
        <div
          ref={scroller}
          tabIndex={0}
          role="group"
          aria-label={`${alt}${revealed ? '' : ', blurred'}`}
          className={classes(
            'max-h-[62vh] focus-visible:outline-offset-[-3px]',
            revealed ? 'overflow-auto' : 'overflow-hidden',
          )}
        >
          {failed ? (
            <p className="p-6 text-center text-caution">The image could not be loaded. Reload the page.</p>
          ) : (
            <div
              className={classes('relative mx-auto', zoom === 1 && 'w-fit')}
              style={zoom === 1 ? {} : { width: `${zoom * 100}%` }}
            >
              <img
                src={src}
                alt=""
                draggable={false}
                onLoad={onLoad}
                onError={() => setFailed(true)}
                className={classes(
                  'block h-auto',
                  zoom === 1 ? 'max-h-[62vh] w-auto max-w-full' : 'w-full max-w-none',
                  !revealed && 'blur-2xl grayscale',
                )}
              />
              {revealed && overlay}
            </div>
          )}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <RevealButton revealed={revealed} onReveal={onReveal}>
          <KeyHint>B</KeyHint>
        </RevealButton>
        <Button
          icon={ZoomOut}
          size="small"
          onClick={() => step(-1)}
          disabled={!revealed || zoom <= zoomSteps[0]}
          aria-label="Zoom out"
        />
        <Button
          icon={ZoomIn}
          size="small"
          onClick={() => step(1)}
          disabled={!revealed || zoom >= zoomSteps.at(-1)!}
          aria-label="Zoom in"
        >
          <KeyHint>Z</KeyHint>
        </Button>
        <span className="text-sm text-quiet tabular-nums" aria-live="polite">
          {Math.round(zoom * 100)} %
        </span>
        {revealed && actions}
      </div>
    </figure>
  );
}
