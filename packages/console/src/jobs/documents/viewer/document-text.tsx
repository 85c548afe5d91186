import type { ReactNode } from 'react';
import { formatBlockId, shownBlocks, type Gap, type Shown } from '@agonhq/documents/trace';
import { formatCount, formatPlural, type CitedPassage } from '@agonhq/engine/view';
import { Badge } from '../../../components/badge.tsx';
import { HighlightedText, PlainText } from '../../../components/text.tsx';
import { TextWindows } from '../../../report/passages.tsx';
import type { Block, ReportDocument } from '../analysis-types.ts';
import { PageMap } from './page-map.tsx';
import { markPassagesIn } from './passage-marks.tsx';
import { textLook } from './table-rows.tsx';
import { TableText } from './table-text.tsx';

/* A document where nothing can be pressed: its pages and sheets one after the other, with all that is cited of them. */

interface DocumentTextProps {
  document: ReportDocument;
  anchor: string;
  passages: readonly CitedPassage[];
  /** The ids of blocks that are referred to, though nothing of them may be cited. */
  referred: ReadonlySet<string>;
  /** Whether only what is cited is shown, and what stands around it. */
  isLong: boolean;
}

export function DocumentText({ document, anchor, passages, referred, isLong }: DocumentTextProps) {
  const { name, kind, pages, blocks, text, hash, notes } = document;
  const passagesOf = ({ start, end }: Block) => passages.filter((one) => one.start < end && one.end > start);
  const cited = new Set(
    blocks.filter((block) => referred.has(formatBlockId(document, block)) || passagesOf(block).length > 0),
  );
  return (
    <article id={anchor} className="grid gap-5 rounded-xl border bg-surface p-4 sm:p-5">
      <header>
        <h3 className="words font-medium">
          <PlainText text={name} />
        </h3>
        <p className="text-sm text-quiet">
          {kind.toUpperCase()}
          {pages && `, ${formatPlural(pages.length, 'page')}`}, {formatPlural(blocks.length, 'block')},{' '}
          {formatPlural(text.length, 'character')}
        </p>
        <p className="font-mono text-xs break-all text-quiet">{hash}</p>
      </header>
      {notes.length > 0 && (
        <ul className="grid gap-1 rounded-lg bg-caution-ground px-3 py-2 text-sm text-caution">
          {notes.map((note, index) => (
            <li key={index} className="words">
              <PlainText text={note} />
            </li>
          ))}
        </ul>
      )}
      {splitIntoLeaves(shownBlocks(document, cited, isLong)).map(({ page, sheet, parts }, index) => {
        const size = pages?.find(({ number }) => number === page);
        const shown = parts.flatMap((part) => ('block' in part ? part.block : []));
        return (
          <div key={index} className="flow-root">
            {(page !== undefined || sheet !== undefined) && (
              <p className="mb-2 flex flex-wrap items-center gap-x-2 border-t pt-2 text-sm font-medium text-quiet">
                {sheet === undefined ? `Page ${page}` : <PlainText text={`Sheet ${sheet}`} />}
                {size?.ocr && <Badge tone="caution">read by OCR: letters may be wrong</Badge>}
              </p>
            )}
            {size && <PageMap page={size} blocks={shown} passages={passages} />}
            {parts.map((part) =>
              'gap' in part ? (
                <Elision key={`gap ${part.gap.blocks}`} gap={part.gap} />
              ) : (
                <div key={part.index} id={`${anchor}-block-${part.index + 1}`} data-block>
                  {part.block.ocr && !size?.ocr && <Badge tone="caution">read by OCR</Badge>}
                  <BlockText document={document} block={part.block} passages={passagesOf(part.block)} isLong={isLong} />
                </div>
              ),
            )}
          </div>
        );
      })}
    </article>
  );
}

interface Leaf {
  page: number | undefined;
  sheet: string | undefined;
  parts: Shown[];
}

/** Blocks of one page or sheet belong together; a gap, to what is before it. */
function splitIntoLeaves(shown: readonly Shown[]): Leaf[] {
  const leaves: Leaf[] = [];
  for (const part of shown) {
    const last = leaves.at(-1);
    const { page, sheet } = 'block' in part ? part.block : { page: last?.page, sheet: last?.sheet };
    if (last && last.page === page && last.sheet === sheet) last.parts.push(part);
    else leaves.push({ page, sheet, parts: [part] });
  }
  return leaves;
}

type BlockProps = { block: Block } & Pick<DocumentTextProps, 'document' | 'passages' | 'isLong'>;

function BlockText({ document: { name, text }, block, passages, isLong }: BlockProps) {
  const write = (range: { start: number; end: number }): ReactNode => (
    <HighlightedText text={text.slice(range.start, range.end)} marks={markPassagesIn(range, passages)} />
  );
  if (block.table) return <TableText {...{ name, text, block, passages, isLong, write }} />;
  const moved = (by: number, { start, end }: { start: number; end: number }) => ({ start: start + by, end: end + by });
  return (
    <div className={textLook(block)}>
      <TextWindows
        text={text.slice(block.start, block.end)}
        passages={passages.map((passage) => moved(-block.start, passage))}
        write={(window) => write(moved(block.start, window))}
      />
    </div>
  );
}

function Elision({ gap: { blocks, pages, sheets, headings, moreHeadings } }: { gap: Gap }) {
  const where = pages
    ? `, ${pages[0] === pages[1] ? `page ${pages[0]}` : `pages ${pages[0]} to ${pages[1]}`}`
    : sheets.map((sheet) => `, sheet ${sheet}`).slice(0, 5);
  return (
    <div className="my-3 grid gap-1 border-y border-dashed py-2 text-center text-xs text-quiet">
      <p className="words">
        <PlainText text={`${formatPlural(blocks, 'block')} not shown${[where].flat().join('')}`} />: nothing is cited
        from there
      </p>
      {headings.length > 0 && (
        <p className="words">
          <PlainText text={headings.map((heading) => heading.slice(0, 90)).join(' · ')} />
          {moreHeadings > 0 && ` · and ${formatCount(moreHeadings)} more headings`}
        </p>
      )}
    </div>
  );
}
