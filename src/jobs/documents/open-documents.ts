import type { Reasoner } from '../../debate/index.ts';
import type { JobKit, NamedBytes, OpenJob } from '../job.ts';
import type { Analysis } from './analysis.ts';
import { analysis } from './analyze.ts';
import type { Dossier } from './document.ts';
import { loadDocumentFile } from './ingest/index.ts';
import { withOriginals } from './originals.ts';
import { defaultDocumentPlan, documentSeats, type DocumentPlan, type DocumentSeat } from './plan.ts';
import { buildDocumentsProvenance } from './provenance.ts';
import { documentsSettings, limitsFrom, type DocumentsSettings } from './settings.ts';
import type { AnalysisEvent, AnalysisSetup, AnalyzeOptions, Original } from './setup.ts';

/** What is judged: paths of files, their bytes with a name, or what was read before. */
export type Documents = readonly (string | NamedBytes)[] | Dossier;

export type OpenDocuments = OpenJob<Documents, Analysis, AnalysisEvent, AnalyzeOptions>;

/** Puts the analysis of documents together, once; each dossier gets a setup of its own. Says at once what is missing. */
export function openDocuments(kit: JobKit): OpenDocuments {
  const settings = documentsSettings.parse(kit.settings);
  const plan = planFrom(settings);
  const asked = documentSeats[plan.method];
  const models = kit.seats.require(asked);
  const embedded = [...models.values()].filter((model) => kit.seats.isEmbedded(model)).length;
  const shared = {
    plan,
    embed: embedded > 0 ? kit.tools.embedText : null,
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

  /** The dossier, and its files where they are to be kept. */
  async function read(
    documents: Documents,
    signal?: AbortSignal,
  ): Promise<{ dossier: Dossier; originals: readonly Original[] }> {
    if ('documents' in documents) return { dossier: documents, originals: [] };
    const options = { ...reading, signal };
    if (!kit.recorded || settings.keepOriginals === false)
      return { dossier: await kit.tools.readDocuments(documents, options), originals: [] };
    const files: NamedBytes[] = [];
    for (const file of documents)
      files.push(typeof file === 'string' ? await loadDocumentFile(file, limitsFrom(settings.limits)) : file);
    return withOriginals(await kit.tools.readDocuments(files, options), files);
  }

  return {
    provenance: () => buildDocumentsProvenance(setUp()),
    async *judge(documents, options) {
      const { dossier, originals } = await read(documents, options?.signal);
      return yield* analysis(dossier, { ...setUp(), originals }, options);
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
