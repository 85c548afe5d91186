import type { Reasoner } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { DocumentPicture, JobKit, NamedBytes } from '@agonhq/judges/job/job-kit';
import type { OpenJob } from '@agonhq/judges/job/job';
import type { Analysis } from './analysis.ts';
import { analysis } from './analyze.ts';
import type { Dossier, DocumentKind, ReadDossier, ReportDocument } from './document.ts';
import { loadFile } from '@agonhq/engine/items';
import type { NumberFinding } from './numbers/index.ts';
import { defaultDocumentPlan, documentSeats, type DocumentPlan, type DocumentSeat } from './plan.ts';
import { buildDocumentsProvenance } from './provenance.ts';
import { documentsSettings, limitsFrom, type DocumentsSettings } from './settings.ts';
import type { AnalysisEvent, AnalysisSetup, AnalyzeOptions, Original } from './setup.ts';

/** What is judged: paths of files, their bytes with a name, or what was read before. */
export type Documents = readonly (string | NamedBytes)[] | Dossier;

export type OpenDocuments = OpenJob<Documents, Analysis, AnalysisEvent, AnalyzeOptions>;

/** Puts the analysis together once; each dossier gets a setup of its own. Says at once what is missing. */
export function openDocuments(kit: JobKit): OpenDocuments {
  const settings = documentsSettings.parse(kit.settings);
  const plan = planFrom(settings);
  const asked = documentSeats[plan.method];
  const models = kit.seats.require(asked);
  const embedded = [...models.values()].filter((model) => kit.seats.isEmbedded(model)).length;
  const shared = {
    plan,
    // Embedded seats look for passages by words in all of a dossier: only others read what a case file shows.
    embed: embedded > 0 && embedded < asked.length ? kit.tools.embedText : null,
    findInjections: kit.tools.findInjections,
    secret: kit.secret,
    maxCharacters: settings.maxCharacters ?? (embedded === asked.length ? 20_000_000 : 2_000_000),
    version: kit.version,
  };
  const reading = { ocr: settings.ocr, limits: settings.limits };

  function setUp(): AnalysisSetup {
    const { reasonerFor, journal, recorder } = kit.forSubject();
    // A method has only the seats that it asks.
    const reasoners = Object.fromEntries(asked.map((seat) => [seat, reasonerFor(seat)]));
    return { ...shared, reasoners: reasoners as Record<DocumentSeat, Reasoner>, journal, recorder };
  }

  /** A document with an image that nobody is to see is refused before anything of it is read or kept. */
  async function refuseKnownImages(pictures: readonly DocumentPicture[]): Promise<void> {
    const found = await kit.tools.findKnownImages(pictures);
    if (found.length === 0) return;
    const known = found.map((one) => ({ ...one, file: pictures.find(({ id }) => id === one.image)!.file }));
    const files = [...new Set(pictures.map(({ file }) => file))];
    await kit.forSubject().recorder?.withholdImages?.({ case: null, item: null, files, known });
    throw new AgonError(
      'known-image',
      `${known[0]!.image} is on the list ${known[0]!.list} of known images.`,
      'Nothing of the document was read or kept. Leave it out, and tell those who look after the list.',
    );
  }

  /** The dossier, and its files where they are to be kept. */
  async function read(
    documents: Documents,
    { signal, factors = [] }: Pick<AnalyzeOptions, 'signal' | 'factors'> = {},
  ): Promise<{ dossier: Dossier; originals: readonly Original[]; numbers?: readonly NumberFinding[] }> {
    if ('documents' in documents) return { dossier: documents, originals: [] };
    const options = {
      ...reading,
      signal,
      ...(kit.tools.hasKnownImages ? { admit: refuseKnownImages } : {}),
      ...(settings.method === 'zero-shot' ? {} : { checkFor: factors }),
    };
    const readFiles = async (files: readonly (string | NamedBytes)[]) =>
      (await kit.tools.readDocuments(files, options)) as ReadDossier;
    if (!kit.recorded || settings.keepOriginals === false) {
      const { numbers, ...dossier } = await readFiles(documents);
      return { dossier, originals: [], ...(numbers ? { numbers } : {}) };
    }
    const files: NamedBytes[] = [];
    for (const file of documents)
      files.push(typeof file === 'string' ? await loadFile(file, limitsFrom(settings.limits)) : file);
    const { numbers, ...dossier } = await readFiles(files);
    return { ...withOriginals(dossier, files), ...(numbers ? { numbers } : {}) };
  }

  return {
    provenance: () => buildDocumentsProvenance(setUp()),
    async *judge(documents, options) {
      const { dossier, ...found } = await read(documents, options);
      const corrections = await kit.readCorrections();
      return yield* analysis(dossier, { ...setUp(), ...found, corrections }, options);
    },
  };
}

function planFrom({ method, maxFactors, retrieved, concurrency }: DocumentsSettings): DocumentPlan {
  const plan = defaultDocumentPlan;
  return {
    ...plan,
    method: method ?? plan.method,
    maxFactors: maxFactors ?? plan.maxFactors,
    retrieval: { ...plan.retrieval, blocks: retrieved ?? plan.retrieval.blocks },
    concurrency: concurrency ?? plan.concurrency,
  };
}

const byKind: Record<Exclude<DocumentKind, 'image'>, string> = {
  pdf: 'application/pdf',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  csv: 'text/csv',
  json: 'application/json',
  html: 'text/html',
  markdown: 'text/markdown',
  text: 'text/plain',
};

const images: readonly [begins: RegExp, type: string][] = [
  [/^\x89PNG/u, 'image/png'],
  [/^\xff\xd8\xff/u, 'image/jpeg'],
  [/^GIF8/u, 'image/gif'],
  [/^RIFF.{4}WEBP/su, 'image/webp'],
  [/^BM/u, 'image/bmp'],
  [/^(?:II\*\0|MM\0\*)/u, 'image/tiff'],
];

/** The media type of a file, by what it was read as: never by its name. */
function mediaTypeOf(kind: DocumentKind, bytes: Uint8Array): string {
  if (kind !== 'image') return byKind[kind];
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  return images.find(([begins]) => begins.test(head))?.[1] ?? 'application/octet-stream';
}

const megabyte = 1_000_000;
/** A ledger is no file server: a larger file is left where it is. */
const largestOriginal = 100 * megabyte;

/** The files of a dossier as they are kept beside its analysis; a document whose file is too large says so. */
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
