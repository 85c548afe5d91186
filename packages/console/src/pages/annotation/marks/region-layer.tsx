import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { classes, edges } from '../../../components/tones.ts';
import { type DraftFinding, findTagTone, type FindingDraft, type MarkPlace, type DraftRegion } from './use-finding.ts';

/** So much an arrow key moves, as a share of the image; and no side is shorter. */
const step = 0.01;
const least = 0.02;

interface RegionLayerProps {
  image: string;
  finding: DraftFinding;
  /** Absent: they are looked at only. */
  draft?: FindingDraft | undefined;
}

interface Drag {
  kind: 'draw' | 'move' | 'size';
  index: number;
  from: { x: number; y: number };
  before: MarkPlace;
}

/** The regions of an image, over it. A mouse or a pen draws, moves and sizes them, and so do the arrow keys. */
export function RegionLayer({ image, finding, draft }: RegionLayerProps) {
  const layer = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [drawn, setDrawn] = useState<MarkPlace | null>(null);
  const regions = finding.marks.flatMap((mark, index) =>
    mark.kind === 'region' && mark.image === image ? [{ mark, index }] : [],
  );
  const pointAt = ({ clientX, clientY }: PointerEvent) => {
    const { left, top, width, height } = layer.current!.getBoundingClientRect();
    return { x: clamp((clientX - left) / width), y: clamp((clientY - top) / height) };
  };
  const begin = (event: PointerEvent, kind: Drag['kind'], index = -1, before?: MarkPlace) => {
    // A finger scrolls the page; it moves regions that are there.
    if (!draft || event.button !== 0 || (kind === 'draw' && event.pointerType === 'touch')) return;
    event.stopPropagation();
    layer.current!.setPointerCapture(event.pointerId);
    const from = pointAt(event);
    setDrag({ kind, index, from, before: before ?? { ...from, width: 0, height: 0 } });
  };
  const follow = (event: PointerEvent) => {
    if (!drag) return;
    const { x, y } = pointAt(event);
    const [right, down] = [x - drag.from.x, y - drag.from.y];
    if (drag.kind === 'draw')
      setDrawn({
        x: Math.min(x, drag.from.x),
        y: Math.min(y, drag.from.y),
        width: Math.abs(right),
        height: Math.abs(down),
      });
    else draft!.moveRegion(drag.index, (drag.kind === 'move' ? moveBy : sizeBy)(drag.before, right, down));
  };
  const finish = () => {
    if (drag?.kind === 'draw' && drawn && drawn.width >= least && drawn.height >= least)
      draft!.addRegion(image, roundPlace(drawn));
    setDrag(null);
    setDrawn(null);
  };
  const press = (event: KeyboardEvent, { mark, index }: { mark: DraftRegion; index: number }) => {
    const arrow = arrows[event.key];
    if (arrow) draft!.moveRegion(index, (event.shiftKey ? sizeBy : moveBy)(mark, arrow[0] * step, arrow[1] * step));
    else if (event.key === 'Delete' || event.key === 'Backspace') draft!.removeMark(index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={layer}
      data-regions
      className={classes('absolute inset-0', draft ? 'cursor-crosshair' : 'pointer-events-none')}
      onPointerDown={(event) => begin(event, 'draw')}
      onPointerMove={follow}
      onPointerUp={finish}
      onPointerCancel={finish}
    >
      {regions.map(({ mark, index }) => {
        const look = classes(
          'absolute border-3 bg-surface/10 ring-2 ring-surface',
          edges[findTagTone(finding, mark.tag)],
        );
        const number = <RegionNumber number={index + 1} />;
        return draft ? (
          <button
            key={index}
            type="button"
            aria-label={`Region ${index + 1}, ${mark.tag}, ${describeRegion(mark)}`}
            aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown Shift+ArrowRight Shift+ArrowDown Delete"
            className={classes(look, 'cursor-move touch-none')}
            style={toStyle(mark)}
            onPointerDown={(event) => begin(event, 'move', index, mark)}
            onKeyDown={(event) => press(event, { mark, index })}
          >
            {number}
            <span
              aria-hidden
              className="absolute right-0 bottom-0 size-4 cursor-nwse-resize bg-link"
              onPointerDown={(event) => begin(event, 'size', index, mark)}
            />
          </button>
        ) : (
          <div
            key={index}
            role="img"
            aria-label={`Region ${index + 1}, ${mark.tag}, ${describeRegion(mark)}`}
            className={look}
            style={toStyle(mark)}
          >
            {number}
          </div>
        );
      })}
      {drawn && <div className="absolute border-3 border-dashed border-link" style={toStyle(drawn)} />}
    </div>
  );
}

function RegionNumber({ number }: { number: number }) {
  return (
    <span aria-hidden className="absolute top-0 left-0 bg-surface px-1 text-xs leading-4 font-medium text-ink">
      {number}
    </span>
  );
}

const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** In the middle, a third of each side: where one who has no mouse begins. */
export const firstPlace: MarkPlace = { x: 0.33, y: 0.33, width: 0.34, height: 0.34 };

function clamp(value: number, most = 1): number {
  return Math.min(most, Math.max(0, value));
}

/** Positions to a ten-thousandth: finer than anybody draws. */
function roundPlace({ x, y, width, height }: MarkPlace): MarkPlace {
  const round = (value: number) => Math.round(value * 10_000) / 10_000;
  const [left, top] = [round(x), round(y)];
  return { x: left, y: top, width: round(Math.min(width, 1 - left)), height: round(Math.min(height, 1 - top)) };
}

function moveBy({ x, y, width, height }: MarkPlace, right: number, down: number): MarkPlace {
  return roundPlace({ x: clamp(x + right, 1 - width), y: clamp(y + down, 1 - height), width, height });
}

function sizeBy({ x, y, width, height }: MarkPlace, right: number, down: number): MarkPlace {
  return roundPlace({ x, y, width: Math.max(least, width + right), height: Math.max(least, height + down) });
}

/** `10 % from the left, 20 % from the top, 30 % by 40 %`. */
export function describeRegion({ x, y, width, height }: MarkPlace): string {
  const [left, top, wide, high] = [x, y, width, height].map((share) => `${Math.round(share * 100)} %`);
  return `${left} from the left, ${top} from the top, ${wide} by ${high}`;
}

function toStyle({ x, y, width, height }: MarkPlace) {
  return { left: `${x * 100}%`, top: `${y * 100}%`, width: `${width * 100}%`, height: `${height * 100}%` };
}
