const longest = 200;

/**
 * The name of a file without its folders, safe to show: characters that would act are written out. Of a name that is
 * safe, the name itself.
 */
export function cleanFileName(name: string): string {
  const base = name.split(/[/\\]/).at(-1)!.toWellFormed();
  const shown = base
    .replace(
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
      (character) => `[U+${character.codePointAt(0)!.toString(16).toUpperCase()}]`,
    )
    .trim();
  return shown === '' || shown === '.' || shown === '..' ? 'unnamed' : shown.slice(-longest);
}

/** `xlsx` of `Report.XLSX`; empty when there is none. */
export function readExtension(name: string): string {
  return /\.([a-z0-9]{1,8})$/iu.exec(name)?.[1]?.toLowerCase() ?? '';
}
