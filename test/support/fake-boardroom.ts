import type {
  CrossExamination,
  Factors,
  Opening,
  OutlookAnswer,
  Rebuttal,
  Synthesis,
  ZeroShot,
} from '@agonhq/documents';
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
