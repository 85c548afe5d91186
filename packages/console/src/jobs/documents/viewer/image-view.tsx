import { Eye, EyeOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import type { Highlight, Pointed } from './highlights.ts';
import { MarkBoxes } from './mark-boxes.tsx';

/**
 * A document that is an image, with what of it is cited. Blurred until it is asked for: nobody knows yet what it
 * shows.
 */
export function ImageView({
  url,
  name,
  size,
  highlights,
  pointed,
  onPick,
}: {
  url: string;
  name: string;
  size: { width: number; height: number };
  highlights: readonly Highlight[];
  pointed: Pointed | null;
  onPick: (id: string) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const [revealed, setRevealed] = useState(false);
  const moment = pointed?.moment;
  useEffect(() => {
    scroller.current?.querySelector('[data-mark][data-active]')?.scrollIntoView({ block: 'center' });
  }, [moment]);
  return (
    <div
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={`The image ${name}`}
      className="grid h-full content-start justify-items-start gap-3 overflow-auto bg-paper p-4"
      data-viewer="image"
    >
      <Button size="small" aria-pressed={revealed} onClick={() => setRevealed(!revealed)}>
        {revealed ? <EyeOff aria-hidden className="size-4" /> : <Eye aria-hidden className="size-4" />}{' '}
        {revealed ? 'Blur the image' : 'Show the image'}
      </Button>
      <div className="relative max-w-full overflow-hidden">
        <img
          src={url}
          alt={revealed ? name : `${name}, blurred`}
          width={size.width}
          height={size.height}
          className={`block h-auto max-w-full ${revealed ? '' : 'blur-2xl'}`}
        />
        {revealed &&
          highlights.map((highlight) => (
            <MarkBoxes
              key={highlight.id}
              highlight={highlight}
              areas={highlight.grounding.boxes}
              within={size}
              active={highlight.id === pointed?.id}
              onPick={onPick}
            />
          ))}
      </div>
    </div>
  );
}
