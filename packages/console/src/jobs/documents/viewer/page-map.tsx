import type { CitedPassage } from '@agonhq/engine/view';
import { classes } from '../../../components/tones.ts';
import type { Block, Box } from '../analysis-types.ts';
import { findPassageTone } from './passage-marks.tsx';

interface PageMapProps {
  page: { number: number; width: number; height: number };
  blocks: readonly Block[];
  passages: readonly CitedPassage[];
}

/** A page in small: where its blocks lie, and where on it something is cited. */
export function PageMap({ page, blocks, passages }: PageMapProps) {
  const here = blocks.filter((block) => block.page === page.number);
  const isHere = (box: Box) => box.page === page.number;
  const marks = passages.flatMap((passage) =>
    here
      .flatMap((block) => findBoxes(block, passage))
      .filter(isHere)
      .map((box) => ({ box, tone: findPassageTone(passage) })),
  );
  if (marks.length === 0 || !(page.width > 0) || !(page.height > 0)) return null;
  const size = { width: round(page.width), height: round(page.height) };
  return (
    <svg
      viewBox={`0 0 ${size.width} ${size.height}`}
      role="img"
      aria-label={`Where on page ${page.number} something is cited`}
      className="float-right mb-2 ml-4 h-auto w-19 overflow-visible"
    >
      <rect {...size} className="fill-paper stroke-quiet" strokeWidth="6" />
      {here.flatMap((block, index) =>
        (block.boxes ?? [])
          .filter(isHere)
          .map((box, at) => <rect key={`${index} ${at}`} {...place(box, page)} className="fill-line" />),
      )}
      {marks.map(({ box, tone }, index) => (
        <rect key={index} {...place(box, page)} className={classes(`fill-${tone}`)} />
      ))}
    </svg>
  );
}

/** The boxes of what a passage touches: of cells in a table, of sentences elsewhere. */
function findBoxes(block: Block, { start, end }: CitedPassage): readonly Box[] {
  const touched = (parts: readonly { start: number; end: number; boxes?: readonly Box[] | undefined }[]) =>
    parts.filter((part) => part.start < end && part.end > start).flatMap(({ boxes }) => boxes ?? []);
  const cells = touched(block.table?.cells ?? []);
  return cells.length > 0 ? cells : touched(block.sentences);
}

function place({ x, y, width, height }: Box, page: PageMapProps['page']) {
  const within = (value: number, most: number) => round(Math.min(Math.max(value, 0), most));
  return {
    x: within(x, page.width),
    y: within(y, page.height),
    width: within(width, page.width),
    height: within(height, page.height),
  };
}

function round(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 10) / 10 : 0;
}
