import { memoryJournal, type Reasoner } from '@agonhq/engine/debate';
import { sha256 } from '@agonhq/engine/hash';
import {
  analysis,
  defaultDocumentPlan,
  type Analysis,
  type AnalysisEvent,
  type AnalysisSetup,
  type AnalyzeOptions,
  type DocumentPlan,
  type DocumentSeat,
  type Dossier,
  type ReportDocument,
} from '@agonhq/documents';
import { buildDocument, type RawPart } from '@agonhq/documents/ingest';
import { createLlmPool } from '@agonhq/models/reasoners';
import { boardroomSettings } from './fake-boardroom.ts';

/* Apart from fake-boardroom.ts: the tests of commands need none of what is imported here, which takes a second. */

/** A document out of its parts: `# ` begins a heading, a list of rows is a table, all else is a paragraph. */
export function documentOf(name: string, parts: readonly (string | readonly (readonly string[])[])[]): ReportDocument {
  const raw = parts.map((part): RawPart => {
    if (typeof part !== 'string') return { kind: 'table', rows: part.map((row) => row.map((text) => ({ text }))) };
    return part.startsWith('# ')
      ? { kind: 'heading', level: 1, text: part.slice(2) }
      : { kind: 'paragraph', text: part };
  });
  return buildDocument({ name, kind: 'markdown', hash: sha256(JSON.stringify(parts)), notes: [], parts: raw });
}

/** The paper's example, as a document that holds together: nothing in it conflicts. */
export const quarterlyReport: Dossier = {
  documents: [
    documentOf('report.md', [
      '# Third quarter 2024',
      'The marketing strategy was the primary driver of growth in APAC. Revenue in APAC grew by 15% in the third ' +
        'quarter.',
      'Customers named the campaign as their reason to buy. A weaker currency also lifted reported revenue in APAC.',
      [
        ['Region', 'Q2 2024', 'Q3 2024'],
        ['APAC', '4.0', '4.6'],
        ['EMEA', '3.0', '2.7'],
      ],
      'We expect EMEA to recover next year because of a new distributor.',
    ]),
  ],
};

/** A setup of documents over a fake provider. */
export function boardroomSetup(
  provider: { url: string },
  plan: Partial<DocumentPlan> = {},
  models: Partial<Record<DocumentSeat, string>> = {},
  overrides: Partial<AnalysisSetup> = {},
): AnalysisSetup {
  const { seats: _, ...llm } = boardroomSettings(provider);
  const reasonerOf: (model: string) => Reasoner = createLlmPool(llm, {}).forItem();
  const seated = (seat: DocumentSeat) => reasonerOf(models[seat] ?? 'fake:board');
  return {
    plan: { ...defaultDocumentPlan, ...plan },
    reasoners: {
      'factor-agent': seated('factor-agent'),
      affirmative: seated('affirmative'),
      dissenting: seated('dissenting'),
      synthesizer: seated('synthesizer'),
    },
    embed: null,
    journal: memoryJournal(),
    secret: 'test',
    maxCharacters: 1_000_000,
    version: 'test',
    ...overrides,
  };
}

/** Runs an analysis to its end; `onEvent` sees what happens. */
export async function analysed(
  dossier: Dossier,
  setup: AnalysisSetup,
  options?: AnalyzeOptions,
  onEvent?: (event: AnalysisEvent) => void,
): Promise<Analysis> {
  const trial = analysis(dossier, setup, options);
  for (let next = await trial.next(); ; next = await trial.next()) {
    if (next.done) return next.value;
    onEvent?.(next.value);
  }
}
