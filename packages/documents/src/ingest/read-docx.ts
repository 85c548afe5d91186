import { zipSync } from 'fflate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { RawReading, ReadingOptions } from './raw.ts';
import { listZipEntries, unpackZip } from './unpack-zip.ts';

/** Reads a word-processor document by way of HTML: no macro is run, no link followed, no image read. */
export async function readDocx(bytes: Uint8Array, { name, limits }: ReadingOptions): Promise<RawReading> {
  const notes = describeContents(listZipEntries(bytes, name, limits).map((entry) => entry.name));
  const files = unpackZip(bytes, name, limits, (entry) => /\.(?:xml|rels)$/u.test(entry));
  const [{ default: mammoth }, { readHtmlParts }] = await Promise.all([
    import('mammoth'),
    import('./html/read-html.ts'),
  ]);
  try {
    // Packed again from what was unpacked within the limits.
    const buffer = Buffer.from(zipSync(Object.fromEntries(files), { level: 0 }));
    const { value } = await mammoth.convertToHtml(
      { buffer },
      {
        styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"],
        convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })),
        externalFileAccess: false,
      },
    );
    return { parts: readHtmlParts(value).parts, notes };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AgonError(
      'corrupt-document',
      `${name} is not a sound DOCX file: ${why}.`,
      `Open and save ${name} again, or export it as PDF.`,
      { cause },
    );
  }
}

function describeContents(entries: readonly string[]): string[] {
  const notes: string[] = [];
  if (entries.some((entry) => /vbaProject\.bin$/iu.test(entry))) notes.push('It holds macros, which were not run.');
  const images = entries.filter((entry) => entry.startsWith('word/media/')).length;
  if (images > 0) notes.push(`Images were not read (${images}).`);
  if (entries.some((entry) => entry.startsWith('word/embeddings/')))
    notes.push('It holds other files, which were not opened.');
  if (entries.some((entry) => /^word\/(?:header|footer)\d*\.xml$/u.test(entry)))
    notes.push('Page headers and footers were not read.');
  return notes;
}
