/** Most file systems take 255 bytes; some are left for what is put behind a name. */
const mostBytes = 200;
/** How a name may end, and still be cut before that. */
const extension = /\.[\p{L}\p{N}]{1,10}$/u;

/**
 * What an uploaded file is called: its last segment, as plain text that any file system takes; of nothing usable,
 * `otherwise`.
 */
export function fileNameOf(given: string, otherwise: string): string {
  const last = given.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1)!;
  const plain = last.replace(/\p{C}/gu, '').replace(/^[.\s]+|[.\s]+$/gu, '');
  return plain === '' ? otherwise : cut(plain, mostBytes);
}

/**
 * Makes names that come again unique: `cat.png`, `cat-2.png`. Letters of either case are the same, as they are on
 * some disks.
 */
export function uniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  /** Which number comes next, so that of a thousand of the same name the last is not held against all others. */
  const next = new Map<string, number>();
  return (name) => {
    let free = name;
    if (taken.has(name.toLowerCase())) {
      const { stem, end } = numberable(name);
      const series = `${stem}${end}`.toLowerCase();
      let number = next.get(series) ?? 2;
      do free = `${stem}-${number++}${end}`;
      while (taken.has(free.toLowerCase()));
      next.set(series, number);
    }
    taken.add(free.toLowerCase());
    return free;
  };
}

function numberable(name: string): { stem: string; end: string } {
  const [end = ''] = extension.exec(name) ?? [];
  return { stem: cut(name.slice(0, name.length - end.length), mostBytes - 20), end };
}

function cut(name: string, most: number): string {
  if (Buffer.byteLength(name) <= most) return name;
  const [end = ''] = extension.exec(name) ?? [];
  const room = most - Buffer.byteLength(end);
  let kept = '';
  let bytes = 0;
  for (const character of name.slice(0, name.length - end.length)) {
    bytes += Buffer.byteLength(character);
    if (bytes > room) break;
    kept += character;
  }
  return kept + end;
}
