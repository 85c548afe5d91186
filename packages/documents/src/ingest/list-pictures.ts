import type { DocumentKind } from '../document.ts';
import { detectFileKind } from './detect-file-kind.ts';
import { defaultLimits, type IngestLimits } from './raw.ts';
import { unpackZip } from './unpack-zip.ts';

/** A picture in a document, encoded, and where it is: `report.pdf, page 3, picture 1`. */
export interface FoundPicture {
  place: string;
  image: Uint8Array;
}

interface Options {
  signal?: AbortSignal | undefined;
  limits?: Partial<IngestLimits> | undefined;
}

/**
 * Every picture in a file, before anything reads the file: an image is its own, a page of a PDF that is mostly pictures
 * is one too. Drawings made of lines are none.
 */
export async function* listPictures(
  { name, bytes }: { name: string; bytes: Uint8Array },
  options: Options = {},
): AsyncGenerator<FoundPicture, void, void> {
  const limits = { ...defaultLimits, ...options.limits };
  const { kind } = await detectFileKind(bytes, name, limits);
  if (kind === 'image') yield { place: name, image: bytes };
  else if (kind === 'pdf') yield* (await import('./pdf/list-pdf-pictures.ts')).listPdfPictures(bytes, name, options);
  else yield* count(name, findEmbedded(kind, bytes, name, limits));
}

function findEmbedded(kind: DocumentKind, bytes: Uint8Array, name: string, limits: IngestLimits): Uint8Array[] {
  if (kind === 'docx' || kind === 'xlsx')
    return [...unpackZip(bytes, name, limits, (entry) => /^(?:word|xl)\/media\//u.test(entry)).values()];
  return kind === 'html' || kind === 'markdown' ? readDataUrls(bytes) : [];
}

/** Pictures that stand in a text themselves. */
function readDataUrls(bytes: Uint8Array): Uint8Array[] {
  const text = Buffer.from(bytes).toString('latin1');
  return [...text.matchAll(/data:image\/[\w.+-]{1,40};base64,([\w+/=\s-]{16,})/gu)].map(([, data]) =>
    Buffer.from(data!, 'base64'),
  );
}

function* count(name: string, images: readonly Uint8Array[]): Generator<FoundPicture, void, void> {
  for (const [index, image] of images.entries()) yield { place: `${name}, picture ${index + 1}`, image };
}
