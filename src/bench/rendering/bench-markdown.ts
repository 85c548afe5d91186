import { codeSpan, documentOf, markdownList } from '../../reports/index.ts';
import { blockLines } from './block-markdown.ts';
import { timeBlock } from './blocks/cost.ts';
import { receiptBlocks } from './blocks/receipts.ts';
import { summaryBlocks } from './blocks/summary.ts';
import { shortName } from './clip.ts';
import type { MeasuredSet } from './measured-set.ts';
import { plainText } from './plain-text.ts';
import { aboutSet, briefBlocks, detailBlocks, qualityBlocks, type BenchReportOptions } from './set-blocks.ts';
import { shortenCharacters } from '../../text/index.ts';

/** The same tables for a paper. The same sheets give the same bytes, but for the times, which stand at the end. */
export function benchMarkdown(
  sets: readonly MeasuredSet[],
  { title, times, details = true, about = [] }: BenchReportOptions,
): string {
  return documentOf([
    `# ${plainText(shortName(title))}`,
    markdownList(
      about.map(({ name, value }) => `${plainText(shortName(name))}: ${codeSpan(shortenCharacters(value, 200))}`),
    ),
    ...summaryBlocks(sets).flatMap((block) => blockLines(block, 2)),
    ...sets.flatMap((set) => setLines(set, details)),
    ...(times ? blockLines(timeBlock(sets), 2) : []),
  ]);
}

function setLines(set: MeasuredSet, details: boolean): string[] {
  const { sheet, figures } = set;
  const { items, labels, parameters } = aboutSet(set);
  const without = figures.receipts.flatMap(({ debate, withoutControl }) =>
    withoutControl === null
      ? []
      : [
          `No control for ${codeSpan(shortName(debate))}: ${plainText(shortenCharacters(withoutControl, 300).replaceAll('`', ''))}`,
        ],
  );
  return [
    `## ${plainText(shortName(sheet.data.title))}`,
    `${items}: ${labels.map(({ label, items: count }) => `${count} ${codeSpan(shortName(label))}`).join(', ')}; ` +
      `${parameters}; ${sheet.data.file === sheet.data.title ? '' : `${codeSpan(shortName(sheet.data.file))}, `}sha256 ` +
      `${codeSpan(shortenCharacters(sheet.data.sha256, 64))}.`,
    markdownList(sheet.notes.map((note) => plainText(shortenCharacters(note, 600)))),
    ...[...qualityBlocks(set), ...receiptBlocks(set)].flatMap((block) => blockLines(block, 3)),
    markdownList(without),
    ...(details ? [...detailBlocks(set, false), ...set.own] : briefBlocks(set)).flatMap((block) =>
      block.table || block.missing || !(block.chart ?? block.charts) ? blockLines(block, 3) : [],
    ),
  ];
}
