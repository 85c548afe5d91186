import type { Lesson } from '@agonhq/core/learning';
import type { ModerationArgument, Brief, Findings, Opinion } from '@agonhq/judges/moderation';
import {
  json,
  startFakeProvider,
  type FakeProvider,
  type FakeReply,
  type FakeRequest,
} from '../fake-provider/index.ts';

export type PanelRole = 'preprocessor' | 'supporter' | 'strict' | 'loose' | 'arbiter' | 'judge' | 'curator';

type Said<T> = Partial<T> | FakeReply | undefined;

/** What each role says; debaters round by round, the last entry for all later rounds. */
export interface PanelScript {
  preprocessor?: { description: string } | FakeReply;
  supporter?: Said<Brief>;
  strict?: Said<ModerationArgument>[];
  loose?: Said<ModerationArgument>[];
  arbiter?: Said<Findings>;
  /** A judge without a role; by its request where judges differ. */
  judge?: Said<Opinion> | ((request: FakeRequest) => Said<Opinion>);
  curator?: Said<Lesson>;
  latencyMs?: number;
}

const nothing = { why: 'Nothing of the kind is in the content.', evidence: [], holds: false };

const defaults = {
  preprocessor: { description: 'A kitchen table with a bread knife and a loaf.' },
  supporter: { summary: 'A short text.', cues: [], patterns: [] },
  strict: { statement: 'It could be misused.', concession: null, evidence: [], clauses: [], score: 0.6 },
  loose: { statement: 'It is harmless.', concession: null, evidence: [], clauses: [], score: 0.1 },
  arbiter: {
    statement: 'Nothing was shown.',
    exoneration: nothing,
    risk: { ...nothing, clauses: [] },
    confidence: 0.8,
    score: 0.2,
  },
  judge: { statement: 'It is harmless.', evidence: [], clauses: [], score: 0.1 },
  curator: {
    statement: 'Loose took the hint for a joke.',
    turn: 'round-1/loose-debater',
    fault: 'overlooked',
    what: 'the hint',
    summary: 'A hint at harm.',
    cues: ['a hint'],
    why: 'It hints at harm.',
    clause: null,
    excerpt: '',
  },
};

/** Which role a request speaks for, read from the prompt as a model would read it. */
export function roleOf(request: Pick<FakeRequest, 'prompt'>): PanelRole {
  const found = /You are (?:the|a) (supporter|strict debater|loose debater|arbiter|judge|curator)/.exec(
    request.prompt,
  )?.[1];
  return found ? (found.replace(' debater', '') as PanelRole) : 'preprocessor';
}

/** 1 until a debater is told its previous score. */
export function roundOf(request: Pick<FakeRequest, 'prompt'>): number {
  const rounds = [...request.prompt.matchAll(/^(?:strict|loose)-debater, round (\d)/gm)].map((match) =>
    Number(match[1]),
  );
  return request.prompt.includes('Your previous score was') ? Math.max(...rounds) + 1 : 1;
}

export function panelReply(script: PanelScript, request: FakeRequest): FakeReply {
  const role = roleOf(request);
  const turns = role === 'strict' || role === 'loose' ? script[role] : undefined;
  const line = turns
    ? turns[Math.min(roundOf(request), turns.length) - 1]
    : script[role as Exclude<PanelRole, 'strict' | 'loose'>];
  const said = typeof line === 'function' ? line(request) : line;
  if (said && 'kind' in said) return said;
  // A curator that does its work quotes the case.
  const own = role === 'curator' ? { excerpt: /^<<\w+ text>>\n([^\n]*)/m.exec(request.prompt)?.[1] ?? '' } : {};
  return json({ ...defaults[role], ...own, ...said }, { latencyMs: script.latencyMs });
}

/** A fake provider whose models play the five roles of moderation. */
export async function startFakePanel(script: PanelScript = {}): Promise<FakeProvider & { roles(): PanelRole[] }> {
  const provider = await startFakeProvider((request) => panelReply(script, request));
  return Object.assign(provider, { roles: () => provider.requests.map(roleOf) });
}

/** Settings that seat the fake provider everywhere. */
export function panelSettings(provider: { url: string }) {
  return {
    seats: { default: 'fake:panel-vision' },
    providers: { fake: { baseUrl: `${provider.url}/v1` } },
    models: { 'fake:panel-vision': { vision: true, price: { input: 1, output: 2 } } },
    defaults: { retries: 0, timeoutMs: 2_000 },
  };
}
