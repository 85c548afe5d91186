const selector = /\.((?:[a-z_-]|\\.)(?:[\w-]|\\.)*)/gi;

/**
 * A page whose classes have a letter or two, in its styles as in its markup: by their own names they are a third of it.
 * No text is mistaken for one: in text, quotation marks are escaped.
 */
export function shortenClasses(page: string): string {
  const [start, end] = [page.indexOf('<style>'), page.indexOf('</style>')];
  const styles = page.slice(start, end);
  const ruled = new Set(Array.from(styles.matchAll(selector), ([, name]) => readName(name!)));
  const names = new Map<string, string>();
  const shorten = (name: string) => {
    if (!ruled.has(name)) return name;
    const short = names.get(name) ?? makeName(names.size);
    names.set(name, short);
    return short;
  };
  const markup = page
    .slice(end)
    .replace(/ class="([^"]*)"/g, (_, list: string) => ` class="${list.split(' ').map(shorten).join(' ')}"`);
  const shortStyles = styles.replace(selector, (rule, name: string) => {
    const short = names.get(readName(name));
    return short === undefined ? rule : `.${short}`;
  });
  return page.slice(0, start) + shortStyles + markup;
}

/** `hover\:border-quiet` as it stands in markup. */
function readName(escaped: string): string {
  return escaped.replace(/\\(.)/g, '$1');
}

/** `a`, `b`, …, `aa`: no class of ours is as short. */
function makeName(index: number): string {
  const letter = String.fromCharCode(97 + (index % 26));
  return index < 26 ? letter : makeName(Math.floor(index / 26) - 1) + letter;
}
