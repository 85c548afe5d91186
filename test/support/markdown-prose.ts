/** What CommonMark reads as something other than code: fences first, then spans by runs of equal length. */
export function withoutCode(markdown: string): string {
  const prose: string[] = [];
  let closing: string | null = null;
  for (const line of markdown.split('\n')) {
    const opened = /^(`{3,})text$/.exec(line);
    if (closing !== null) {
      if (/^`{3,}$/.test(line) && line.length >= closing.length) closing = null;
    } else if (opened) closing = opened[1]!;
    else prose.push(line);
  }
  return prose.map((line) => line.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '')).join('\n');
}
