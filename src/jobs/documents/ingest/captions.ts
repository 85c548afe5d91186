import { isTableCaption } from '../caption-words.ts';
import type { RawPart } from './raw.ts';
import { toOneLine } from '../../../text/index.ts';

const longest = 240;
const furthest = 3;

/** What stands right above a table and names it: a title, "in millions". Null when nothing does. */
export function findCaption(parts: readonly RawPart[], index: number): string | null {
  const lines: string[] = [];
  for (let above = index - 1; above >= Math.max(0, index - furthest); above -= 1) {
    const part = parts[above]!;
    const text = toOneLine(part.text ?? '');
    if (
      part.rows ||
      part.kind === 'list' ||
      part.sheet !== parts[index]!.sheet ||
      !(part.caption || isCaption(part, text))
    )
      break;
    lines.unshift(text);
    if (part.kind === 'heading') break;
  }
  return lines.length === 0 ? null : lines.join(' ');
}

function isCaption(part: RawPart, text: string): boolean {
  return text.length <= longest && (part.kind === 'heading' || isTableCaption(text));
}
