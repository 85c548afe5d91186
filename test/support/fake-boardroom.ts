import { memoryJournal, type Reasoner } from '../../src/debate/index.ts';
import {
  analysis,
  defaultDocumentPlan,
  type Analysis,
  type AnalysisEvent,
  type AnalysisSetup,
  type AnalyzeOptions,
  type CrossExamination,
  type DocumentPlan,
  type DocumentSeat,
  type Dossier,
  type ReportDocument,
  type Factors,
  type Opening,
  type OutlookAnswer,
  type Rebuttal,
  type Synthesis,
  type ZeroShot,
} from '../../src/jobs/documents/index.ts';
import { buildDocument, type RawPart } from '../../src/jobs/documents/ingest/index.ts';
import { sha256 } from '../../src/hash.ts';
import { createLlmPool } from '../../src/reasoners/index.ts';
import {
  json,
  startFakeProvider,
  type FakeProvider,
  type FakeReply,
  type FakeRequest,
} from '../fake-provider/index.ts';

/** What the board is asked for, by the words that stand in the transcript's keys. */
export type BoardSeat =
  | 'factor-agent'
  | 'opening'
  | 'cross-examination'
  | 'rebuttal'
  | 'synthesis'
  | 'outlook'
  | 'single'
  | 'zero-shot';

interface Answers {
  'factor-agent': Factors;
  opening: Opening;
  'cross-examination': CrossExamination;
  rebuttal: Rebuttal;
  synthesis: Synthesis;
  outlook: OutlookAnswer;
  single: Synthesis;
  'zero-shot': ZeroShot;
}

type Said<Seat extends BoardSeat> = Partial<Answers[Seat]> | FakeReply;

/** What is said by seat; a function sees the request, and so its claim and whether it was sent back. */
export type BoardScript = { [Seat in BoardSeat]?: Said<Seat> | ((request: FakeRequest) => Said<Seat>) };

const nothing = { why: 'The document does not say so.', evidence: [], holds: false };
const synthesis: Synthesis = {
  statement: 'Nothing was shown.',
  support: { ...nothing, strength: 'none' },
  contradiction: nothing,
  standing: [],
  confidence: 0.8,
  score: 0.3,
};

const defaults: Answers = {
  'factor-agent': { claims: [] },
  opening: { statement: 'The claim is true.', premises: [], score: 0.7 },
  'cross-examination': { statement: 'The claim is weak.', attacks: [], score: 0.3 },
  rebuttal: { statement: 'The claim still stands.', replies: [], score: 0.6 },
  synthesis,
  single: synthesis,
  outlook: { brief: 'A brief.', risks: ['A risk.'], questions: ['A question?'], outlook: 'mixed' },
  'zero-shot': { statement: 'A summary.', verdicts: [], risks: [], questions: [], outlook: 'positive' },
};

// The longer titles first: each is read from the prompt as a model would read it.
const titles: readonly [string, BoardSeat][] = [
  ['the factor agent', 'factor-agent'],
  ['the affirmative, in rebuttal', 'rebuttal'],
  ['the affirmative', 'opening'],
  ['the dissenting member', 'cross-examination'],
  ['the synthesizer, writing the outlook', 'outlook'],
  ['the synthesizer', 'synthesis'],
  ['a single examiner', 'single'],
  ['a judge who reads a document once', 'zero-shot'],
];

export function boardSeatOf({ prompt }: Pick<FakeRequest, 'prompt'>): BoardSeat {
  const found = titles.find(([title]) => prompt.includes(`You are ${title}`));
  if (!found) throw new Error('The prompt names no seat of the board.');
  return found[1];
}

/** The claim that a request is about; null where it is about none, or about all. */
export function boardClaimOf({ prompt }: Pick<FakeRequest, 'prompt'>): string | null {
  return /<<(\w+) claim>>\n([^]*?)\n<<\1 end>>/.exec(prompt)?.[2] ?? null;
}

/** Whether an answer was sent back because of its quotes. */
export function wasSentBack({ prompt }: Pick<FakeRequest, 'prompt'>): boolean {
  return prompt.includes('These quotes are in no source');
}

export function boardReply(script: BoardScript, request: FakeRequest): FakeReply {
  const seat = boardSeatOf(request);
  const line = script[seat] ?? {};
  const said = typeof line === 'function' ? line(request) : line;
  // A reply of the provider has a kind of its own; an answer of the board has none.
  return 'kind' in said ? said : json({ ...defaults[seat], ...said });
}

export interface FakeBoardroom extends FakeProvider {
  /** The seat of each request, in order of arrival. */
  seats(): BoardSeat[];
  /** What a seat was asked, about a claim if one is named by a part of it. */
  promptOf(seat: BoardSeat, claim?: string): string;
}

/** A fake provider whose models play the roles of documents. */
export async function startFakeBoardroom(script: BoardScript = {}): Promise<FakeBoardroom> {
  const provider = await startFakeProvider((request) => boardReply(script, request));
  return Object.assign(provider, {
    seats: () => provider.requests.map(boardSeatOf),
    promptOf(seat: BoardSeat, claim = '') {
      const found = provider.requests.find(
        (request) => boardSeatOf(request) === seat && (boardClaimOf(request) ?? '').includes(claim),
      );
      if (!found) throw new Error(`${seat} was not asked${claim ? ` about ${claim}` : ''}.`);
      return found.prompt;
    },
  });
}

/** Settings that seat the fake provider everywhere. */
export function boardroomSettings(provider: { url: string }) {
  return {
    seats: { default: 'fake:board' },
    providers: { fake: { baseUrl: `${provider.url}/v1` } },
    models: { 'fake:board': { price: { input: 1, output: 2 } } },
    defaults: { retries: 0, timeoutMs: 2_000 },
  };
}

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
