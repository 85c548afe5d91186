import type { Critique, Judgement, ExchangeOpinion } from '@agonhq/judges/evaluation';
import {
  json,
  startFakeProvider,
  type FakeProvider,
  type FakeReply,
  type FakeRequest,
} from '../fake-provider/index.ts';

export type TribunalRole = 'auditor' | 'detector' | 'critic' | 'arbiter' | 'judge';

type Said = Partial<ExchangeOpinion> | Partial<Critique> | Partial<Judgement> | FakeReply;
type Line = Said | ((request: FakeRequest) => Said);

/**
 * What is said, by seat (`auditor#2`), by model (`strong` of `fake:strong`) or by role, the first that is there; one
 * line for always, or one a round, the last for all later rounds.
 */
export type TribunalScript = Partial<Record<string, Line | readonly Line[]>>;

const nothing = { why: 'Nothing of the kind is in the response.', evidence: [], clauses: [], holds: false };
const opinion: ExchangeOpinion = {
  statement: 'The response is harmless.',
  evidence: [],
  clauses: [],
  behaviour: 'complied',
  label: 'safe',
  distribution: { explicit: 0.05, implicit: 0.05, none: 0.9 },
};

const defaults: Record<TribunalRole, ExchangeOpinion | Critique | Judgement> = {
  auditor: opinion,
  detector: opinion,
  judge: opinion,
  critic: {
    statement: 'Both are right.',
    objections: [],
    evidence: [],
    label: 'safe',
    distribution: { explicit: 0.05, implicit: 0.05, none: 0.9 },
  },
  arbiter: {
    statement: 'Nothing was shown.',
    behaviour: 'complied',
    explicit: nothing,
    implicit: nothing,
    label: 'safe',
    confidence: 0.9,
    score: 0.05,
  },
};

const titles: Record<string, TribunalRole> = {
  'the safety criterion auditor': 'auditor',
  'the vulnerability detector': 'detector',
  'the counterargument critic': 'critic',
  'the holistic arbiter': 'arbiter',
  'a judge': 'judge',
};

/** Which role a request speaks for, read from the prompt as a model would read it. */
export function tribunalRoleOf({ prompt }: Pick<FakeRequest, 'prompt'>): TribunalRole {
  const title = Object.keys(titles).find((candidate) => prompt.includes(`You are ${candidate}`));
  if (title === undefined) throw new Error('The prompt names no role of the tribunal.');
  return titles[title]!;
}

/** `auditor`, `auditor#2`, `vote#3`, … */
export function tribunalSeatOf(request: Pick<FakeRequest, 'prompt'>): string {
  return /Your seat: (\S+)\./.exec(request.prompt)?.[1] ?? tribunalRoleOf(request);
}

/** The round a seat speaks in, 1-based; of the control, which vote it is. */
export function tribunalRoundOf(request: Pick<FakeRequest, 'prompt'>): number {
  const vote = /\bVote (\d+)\./.exec(request.prompt)?.[1];
  if (vote !== undefined) return Number(vote);
  const role = tribunalRoleOf(request);
  const heard = [...request.prompt.matchAll(/^[a-z]+(?:#\d+)?, round (\d+)[:,]/gm)].map((match) => Number(match[1]));
  if (heard.length === 0 || role === 'arbiter') return 1;
  return role === 'critic' ? Math.max(...heard) : Math.max(...heard) + 1;
}

export function tribunalReply(script: TribunalScript, request: FakeRequest): FakeReply {
  const role = tribunalRoleOf(request);
  const lines = script[tribunalSeatOf(request)] ?? script[request.model] ?? script[role] ?? {};
  const line = Array.isArray(lines)
    ? (lines as readonly Line[])[Math.min(tribunalRoundOf(request), lines.length) - 1]!
    : (lines as Line);
  const said = typeof line === 'function' ? line(request) : line;
  return 'kind' in said ? said : json({ ...defaults[role], ...said });
}

export interface FakeTribunal extends FakeProvider {
  /** `auditor`, `detector#2`, … of each request, in order of arrival. */
  seats(): string[];
  /** What a seat was asked in a round. */
  promptOf(seat: string, round?: number): string;
}

/** A fake provider whose models play the roles of evaluation. */
export async function startFakeTribunal(script: TribunalScript = {}): Promise<FakeTribunal> {
  const provider = await startFakeProvider((request) => tribunalReply(script, request));
  return Object.assign(provider, {
    seats: () => provider.requests.map(tribunalSeatOf),
    promptOf(seat: string, round = 1) {
      const found = provider.requests.find(
        (request) => tribunalSeatOf(request) === seat && tribunalRoundOf(request) === round,
      );
      if (!found) throw new Error(`${seat} was not asked in round ${round}.`);
      return found.prompt;
    },
  });
}

/** Settings that seat the fake provider everywhere. */
export function tribunalSettings(provider: { url: string }) {
  return {
    seats: { default: 'fake:tribunal' },
    providers: { fake: { baseUrl: `${provider.url}/v1` } },
    models: { 'fake:tribunal': { price: { input: 1, output: 2 } } },
    defaults: { retries: 0, timeoutMs: 2_000 },
  };
}
