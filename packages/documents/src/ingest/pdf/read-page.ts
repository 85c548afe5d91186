import type { PDFPageProxy, TextItem } from 'pdfjs-dist/types/src/display/api.js';
import { readGraphics, type Graphics, type Rule } from './read-graphics.ts';
import { buildSegments, buildLines, type PdfLine } from './build-lines.ts';
import { readRuns, turnArea, type QuarterTurn, type GlyphRun, type TextStyles, type Typeface } from './read-runs.ts';
import { looksTabular } from './find-tables.ts';
import type { PdfLibrary } from './open-pdf.ts';

/** What a page holds, before its parts are told apart. */
export interface PageLayout {
  number: number;
  /** As shown. */
  width: number;
  height: number;
  /** The page was turned by this for reading; runs, lines and rules are in turned coordinates. */
  turned: QuarterTurn;
  runs: GlyphRun[];
  lines: PdfLine[];
  rules: Rule[];
  aside: GlyphRun[];
  /** It shows an image and (nearly) no text. */
  scanned: boolean;
  ocr: boolean;
}

export interface Fonts {
  /** By the names the library gives fonts, for the whole document. */
  typefaces: Map<string, Typeface>;
}

/** Fewer letters than this beside a page-wide image are a stamp or a page number, and not the page's text. */
const fewLetters = 40;

const coversPage = 0.5;
const tabularLines = 2;

/** Reads a page's text, and what it draws where that helps: new fonts, tables, images in place of text. */
export async function readPageLayout(page: PDFPageProxy, library: PdfLibrary, fonts: Fonts): Promise<PageLayout> {
  const viewport = page.getViewport({ scale: 1 });
  const content = await page.getTextContent();
  const items = content.items.filter((item): item is TextItem => 'str' in item);
  const styles = content.styles as unknown as TextStyles;
  let graphics: Graphics | null = null;
  if (Object.keys(styles).some((font) => !fonts.typefaces.has(font))) {
    graphics = await readGraphics(page, library.OPS, viewport);
    for (const font of Object.keys(styles)) fonts.typefaces.set(font, readTypeface(page, font));
  }
  const { runs, aside, turned } = readRuns(items, styles, viewport, (font) => fonts.typefaces.get(font) ?? plain);
  const lines = buildLines(buildSegments(runs));
  const letters = runs.reduce((count, run) => count + run.text.length, 0);
  if (!graphics && (letters < fewLetters || lines.filter(looksTabular).length >= tabularLines))
    graphics = await readGraphics(page, library.OPS, viewport);
  const rules = graphics?.rules ?? [];
  return {
    number: page.pageNumber,
    width: viewport.width,
    height: viewport.height,
    turned,
    runs,
    lines,
    rules: turned === 0 ? rules : rules.map((rule) => turnRule(rule, turned, viewport)),
    aside,
    scanned: letters < fewLetters && (graphics?.imageShare ?? 0) >= coversPage,
    ocr: false,
  };
}

function turnRule(rule: Rule, quarter: QuarterTurn, page: { width: number; height: number }): Rule {
  const direction = quarter === 180 ? rule.direction : rule.direction === 'horizontal' ? 'vertical' : 'horizontal';
  return { ...turnArea(rule, quarter, page), direction };
}

const plain: Typeface = { bold: false, italic: false };

function readTypeface(page: PDFPageProxy, font: string): Typeface {
  if (!page.commonObjs.has(font)) return plain;
  const {
    name = '',
    bold,
    black,
    italic,
  } = page.commonObjs.get(font) as { name?: string; bold?: boolean; black?: boolean; italic?: boolean };
  return {
    bold: bold === true || black === true || /bold|black|heavy|semibd|demi/i.test(name),
    italic: italic === true || /italic|oblique/i.test(name),
  };
}
