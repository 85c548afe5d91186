import type { Reasoner } from '../debate/index.ts';
import {
  defaultDocumentPlan,
  documentSeats,
  type AnalysisSetup,
  type DocumentPlan,
  type DocumentSeat,
  type Dossier,
  type Original,
} from '../jobs/documents/index.ts';
import { loadDocumentFile } from '../jobs/documents/ingest/index.ts';
import { embeddedModel, embedText } from '../reasoners/index.ts';
import { requiredModelOf, type DocumentsSettings } from '../settings/index.ts';
import { findInjections } from '../tools/index.ts';
import { version } from '../version.ts';
import { withOriginals } from './originals.ts';
import { limitsFrom, readFiles, type NamedBytes } from './read-files.ts';
import type { Workshop } from './workshop.ts';

/** What is judged: paths of files, their bytes with a name, or what was read before. */
export type Documents = readonly (string | NamedBytes)[] | Dossier;

/** What the analysis of one dossier is put together from. */
interface DocumentsDesk {
  setup: AnalysisSetup;
  /** The dossier, and its files where they are to be kept. */
  read(documents: Documents, signal?: AbortSignal): Promise<{ dossier: Dossier; originals: readonly Original[] }>;
}

/** Puts the analysis of documents together, once; each dossier gets a desk of its own. Says at once what is missing. */
export function documentsSetups(workshop: Workshop): () => DocumentsDesk {
  const { parts, pool } = workshop;
  const settings = workshop.settings.documents ?? {};
  const plan = planFrom(settings);
  const asked = documentSeats[plan.method];
  const models = new Map(
    asked
      .filter((seat) => !parts.reasoners?.[seat])
      .map((seat) => [seat, requiredModelOf(seat, workshop.seats('documents'))]),
  );
  pool.check([...models.values()].filter((model) => model !== embeddedModel));
  const embedded = [...models.values()].filter((model) => model === embeddedModel).length;
  const shared = {
    plan,
    embed: embedded > 0 ? embedText : null,
    findInjections,
    secret: workshop.secret,
    maxCharacters: settings.maxCharacters ?? (embedded === asked.length ? 20_000_000 : 2_000_000),
    version,
  };
  const reading = { ocr: settings.ocr, limits: settings.limits };
  const readApart = parts.readFiles ?? readFiles;
  const keepsOriginals = workshop.ledger !== null && settings.keepOriginals !== false;

  async function read(
    documents: Documents,
    signal?: AbortSignal,
  ): Promise<{ dossier: Dossier; originals: readonly Original[] }> {
    if ('documents' in documents) return { dossier: documents, originals: [] };
    if (!keepsOriginals) return { dossier: await readApart(documents, { ...reading, signal }), originals: [] };
    const files: NamedBytes[] = [];
    for (const file of documents)
      files.push(typeof file === 'string' ? await loadDocumentFile(file, limitsFrom(settings.limits)) : file);
    return withOriginals(await readApart(files, { ...reading, signal }), files);
  }

  return () => {
    const reasonerOf = workshop.reasoners();
    const seated = asked.map((seat) => [seat, parts.reasoners?.[seat] ?? reasonerOf(models.get(seat)!)]);
    return {
      // A method has only the seats that it asks.
      setup: {
        ...shared,
        reasoners: Object.fromEntries(seated) as Record<DocumentSeat, Reasoner>,
        journal: workshop.journal(),
        docket: workshop.docket('documents'),
      },
      read,
    };
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
