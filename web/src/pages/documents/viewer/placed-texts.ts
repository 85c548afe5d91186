import type { PageViewport } from 'pdfjs-dist';
import type { TextContent, TextItem } from 'pdfjs-dist/types/src/display/api.js';
import type { PlacedText } from './exact-boxes.ts';

let drawing: CanvasRenderingContext2D | null = null;

/** How wide a text is in a font of a kind: enough to tell where a letter stands in a line of known width. */
function measureWidth(text: string, family: string): number {
  drawing ??= document.createElement('canvas').getContext('2d');
  if (!drawing) return text.length;
  drawing.font = `16px ${family}`;
  return drawing.measureText(text).width;
}

/** The upright texts of a page. `viewport` has the scale 1. */
export function placeTexts({ items, styles }: TextContent, viewport: PageViewport): PlacedText[] {
  return items.flatMap((item): PlacedText[] => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [a, b, x, y, size] = toViewport(item, viewport);
    if (Math.abs(b) > Math.abs(a) * 0.05 || a < 0) return [];
    const style = styles[item.fontName];
    const ascent = (style && style.ascent > 0 && style.ascent <= 1.5 ? style.ascent : 0.85) * size;
    const descent = (style && style.descent < 0 && style.descent >= -1 ? -style.descent : 0.2) * size;
    const family = style?.fontFamily ?? 'sans-serif';
    const whole = measureWidth(item.str, family);
    const letters = Array.from(item.str);
    return [
      {
        text: item.str,
        x,
        y: y - ascent,
        width: item.width,
        height: ascent + descent,
        share: (count) =>
          whole > 0 ? measureWidth(letters.slice(0, count).join(''), family) / whole : count / letters.length,
      },
    ];
  });
}

function toViewport(
  { transform }: TextItem,
  viewport: PageViewport,
): [a: number, b: number, x: number, y: number, size: number] {
  const [va, vb, vc, vd, ve, vf] = viewport.transform;
  const [a, b, c, d, e, f] = transform as number[];
  const down = Math.hypot(va! * c! + vc! * d!, vb! * c! + vd! * d!);
  return [va! * a! + vc! * b!, vb! * a! + vd! * b!, va! * e! + vc! * f! + ve!, vb! * e! + vd! * f! + vf!, down];
}
