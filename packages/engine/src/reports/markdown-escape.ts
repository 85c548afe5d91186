import { showControls } from '../view/index.ts';
import { toOneLine } from '../text/index.ts';

/*
 * Inside code nothing is markup, a link, a mention or an issue number, on any site that renders Markdown. So
 * untrusted text is always code: no list of characters to escape is complete for all of them.
 */

/** Untrusted text within a line or a table cell. */
export function codeSpan(text: string): string {
  const line = toOneLine(shown(text));
  const ticks = '`'.repeat(longestRun(line) + 1);
  const padding = line === '' || line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${padding}${line}${padding}${ticks}`;
}

/** The same in a table cell, where a bar would end the cell even within code. */
export function codeCell(text: string): string {
  return codeSpan(text).replaceAll('|', '\\|');
}

/** Untrusted text as a block of its own. */
export function fence(text: string): string {
  const body = shown(text);
  const ticks = '`'.repeat(Math.max(3, longestRun(body) + 1));
  return `${ticks}text\n${body}\n${ticks}`;
}

/** Breaks the long lines of a statement between words: blocks of code do not wrap. */
export function wrapped(text: string, width = 96): string {
  return text
    .split('\n')
    .map((line) => {
      const lines: string[] = [];
      for (const word of line.split(' ')) {
        const last = lines.at(-1);
        if (last === undefined || last.length + word.length >= width) lines.push(word);
        else lines[lines.length - 1] = `${last} ${word}`;
      }
      return lines.join('\n');
    })
    .join('\n');
}

function shown(text: string): string {
  return showControls(text, (name) => `[${name}]`);
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}
