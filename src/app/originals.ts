import type { Dossier, Original, ReportDocument } from '../jobs/documents/index.ts';
import { mediaTypeOf } from './media-type.ts';
import type { NamedBytes } from './read-files.ts';

const megabyte = 1_000_000;
/** A ledger is no file server: a larger file is left where it is. */
export const largestOriginal = 100 * megabyte;

/**
 * The files that a dossier was read from, as they are kept beside its analysis; a document whose file is too large
 * for that says so.
 */
export function withOriginals(
  { documents }: Dossier,
  files: readonly NamedBytes[],
  most = largestOriginal,
): { dossier: Dossier; originals: Original[] } {
  const pairs = documents.map((document, index) => ({ document, data: files[index]!.bytes }));
  return {
    dossier: {
      documents: pairs.map(({ document, data }) =>
        data.length > most ? noted(document, data.length, most) : document,
      ),
    },
    originals: pairs.flatMap(({ document, data }) =>
      data.length > most ? [] : [{ hash: document.hash, mediaType: mediaTypeOf(document.kind, data), data }],
    ),
  };
}

function noted(document: ReportDocument, bytes: number, most: number): ReportDocument {
  const note =
    `The file itself has ${(bytes / megabyte).toFixed(1)} MB and is not kept in the ledger, which ` +
    `takes files of up to ${most / megabyte} MB: its text is.`;
  return { ...document, notes: [...document.notes, note] };
}
