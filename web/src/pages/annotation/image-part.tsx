import { useState } from 'react';
import { ZoomImage } from '../../components/zoom-image.tsx';
import { PartFrame } from './part-frame.tsx';
import { useSeen } from './use-seen.ts';

const lookedMs = 900;

/** An image; it was viewed when it was shown, loaded, and before somebody's eyes for a moment. */
export function ImagePart({
  title,
  src,
  revealed,
  onReveal,
  zoom,
  onZoom,
  viewed,
  onViewed,
}: {
  title: string;
  src: string;
  revealed: boolean;
  onReveal: (revealed: boolean) => void;
  zoom: number;
  onZoom: (zoom: number) => void;
  viewed: boolean;
  onViewed: () => void;
}) {
  const [loaded, setLoaded] = useState(false);
  const frame = useSeen<HTMLDivElement>({ active: revealed && loaded && !viewed, ms: lookedMs, onSeen: onViewed });
  return (
    <PartFrame title={title} viewed={viewed} missing={revealed ? 'Look at it' : 'Show it first'}>
      <ZoomImage
        keys
        src={src}
        alt={title}
        revealed={revealed}
        onReveal={onReveal}
        zoom={zoom}
        onZoom={onZoom}
        onLoad={() => setLoaded(true)}
        frame={frame}
      />
    </PartFrame>
  );
}
