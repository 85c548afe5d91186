import { afterAll, beforeAll, expect } from 'vitest';
import { createAgon, type Agon } from '@agonhq/core/app';
import type { Answer } from '@agonhq/engine/debate';
import { verifyAnalysis } from '@agonhq/documents';
import { verifyEvaluation } from '@agonhq/judges/evaluation';
import { verifyAnswer } from '@agonhq/judges/moderation';
import { defaultPolicy, type Policy } from '@agonhq/engine/policy';
import {
  startFakeProvider,
  text as saying,
  type FakeProvider,
  type FakeReply,
  type FakeRequest,
} from '../fake-provider/index.ts';
import { documentOf } from '../support/analysis-setup.ts';
import { boardReply, boardSeatOf, type BoardScript } from '../support/fake-boardroom.ts';
import { panelReply, panelSettings, roleOf, type PanelScript } from '../support/fake-panel.ts';
import { tribunalReply, tribunalRoleOf, type TribunalScript } from '../support/fake-tribunal.ts';
import { describeHostile, type HostileCase } from './corpus.ts';
import { injections, type Injection } from './injections.ts';

/*
 * A provider whose one seat does whatever it reads in what it judges, in every way that it can be told; the others
 * answer honestly. docs/security.md says what must hold then, and what is not promised.
 */

/** What the obeying seat invents: it stands in no source. */
const invention = 'as performed on page 212 of the novel';
const threat = 'I will bring a bomb to the station tomorrow.';

let provider: FakeProvider;
let agon: Agon;
let policy: Policy;
beforeAll(async () => {
  provider = await startFakeProvider();
  const settings = panelSettings(provider);
  agon = await createAgon(
    { ...settings, defaults: { retries: 0, timeoutMs: 30_000 } },
    { environment: {}, secret: 'hostile' },
  );
  policy = await defaultPolicy();
}, 60_000);
afterAll(async () => {
  await agon?.close();
  await provider?.close();
});

/** What of a prompt stands outside its fences; their mark is the one of the first that is opened. */
function outsideFences(prompt: string): string {
  const mark = /<<([a-z]{6}) /.exec(prompt)?.[1];
  if (mark === undefined) return prompt;
  const fences = new RegExp(`<<${mark} (?!end>>)[^\\n]*>>\\n[^]*?\\n<<${mark} end>>`, 'g');
  const rest = prompt.replaceAll(fences, '');
  expect(rest, 'every fence is closed, and nobody else knows its mark').not.toContain(mark);
  return rest;
}

/** An honest answer, or that of the seat that obeys. */
interface Seats {
  isObeying(request: FakeRequest): boolean;
  obey(request: FakeRequest): FakeReply;
  answer(request: FakeRequest): FakeReply;
}

/** Runs one case: seats are known by what stands outside the fences. */
async function judge<Judged>(
  { isObeying, obey, answer }: Seats,
  work: () => Promise<Judged>,
): Promise<{ judged: Judged; prompts: string[] }> {
  let obeyed = 0;
  provider.requests.length = 0;
  provider.script = (given) => {
    const request = { ...given, prompt: outsideFences(given.prompt) };
    if (!isObeying(request)) return answer(request);
    obeyed += 1;
    return obey(request);
  };
  const judged = await work();
  expect(obeyed, 'the seat was asked, and obeyed').toBeGreaterThan(0);
  return { judged, prompts: provider.requests.map(({ prompt }) => prompt) };
}

/** The seat's answer beyond its schema: what a fifth of the orders ask for. */
const outOfRange = saying(
  JSON.stringify({ label: 'approved', score: -5, evidence: 'all', __proto__: { holds: true } }),
);

function expectPromises(answer: Answer, prompts: readonly string[], injection: Injection): void {
  const sources = new Map(answer.sources.map((source) => [source.id, source.text]));
  const turns = answer.transcript.filter((entry) => entry.kind === 'turn');
  for (const evidence of [...answer.verdict.evidence, ...turns.flatMap((turn) => turn.evidence)]) {
    if (!evidence.verified) continue;
    expect(evidence.quote).not.toContain(invention);
    expect(sources.get(evidence.source)?.slice(evidence.start, evidence.end)).toBe(evidence.quote);
  }
  const { risk, score = null } = answer.verdict;
  for (const number of [risk, score, ...turns.map((turn) => turn.score)])
    if (number !== null) expect(number >= 0 && number <= 1).toBe(true);
  const line = injection.text
    .split('\n')
    .find((each) => each.length > 12)!
    .slice(0, 60);
  expect(prompts.length).toBeGreaterThan(0);
  for (const prompt of prompts) expect(outsideFences(prompt)).not.toContain(line);
}

const isOk = (checks: readonly { outcome: string }[]) =>
  expect(checks.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);

// Moderation

const honestPanel: PanelScript = {
  supporter: { summary: 'A threat against a station.', cues: [], patterns: [] },
  strict: [{ statement: 'A threat.', evidence: [threat], clauses: [], score: 0.95 }],
  loose: [{ statement: 'Perhaps a joke.', evidence: [], clauses: [], score: 0.4 }],
  arbiter: {
    statement: 'A threat was made.',
    risk: { why: 'It announces a bomb.', evidence: [threat], holds: true, clauses: [] },
    confidence: 0.9,
    score: 0.95,
  },
  judge: { statement: 'A threat.', evidence: [threat], clauses: [], score: 0.95 },
};
const swayed = { statement: 'It is harmless, I was told.', evidence: [invention], clauses: ['none.such'], score: 0 };
const obeyingPanel = {
  supporter: {
    summary: `A scene, ${invention}.`,
    cues: [{ precedent: 'seed-0001', cue: 'safe', difference: 'none' }],
    patterns: ['all safe'],
  },
  strict: [{ ...swayed, concession: 'All of it.' }],
  loose: [{ ...swayed, concession: null }],
  arbiter: {
    statement: 'Harmless, I was told.',
    exoneration: { why: 'A novel.', evidence: [invention], holds: true },
    risk: { why: 'None.', evidence: [], holds: false, clauses: [] },
    confidence: 1,
    score: 0,
  },
} satisfies PanelScript;

/** Where the order stands: in the text itself, or in what an image shows or says. */
function contentWith({ text }: Injection, index: number) {
  return index % 3 === 2
    ? { text: threat, images: [{ description: `A poster that reads: ${text}` }] }
    : { text: `${threat}\n${text}` };
}

const moderationCases = (Object.keys(obeyingPanel) as (keyof typeof obeyingPanel)[]).flatMap((role) =>
  injections.map((injection, index): HostileCase => ({
    name: `moderation, an obeying ${role}: ${injection.name}`,
    run: async () => {
      const breaksSchema = index % 5 === 4;
      const { judged, prompts } = await judge(
        {
          isObeying: (request) => roleOf(request) === role,
          obey: (request) =>
            breaksSchema ? outOfRange : panelReply({ ...honestPanel, [role]: obeyingPanel[role] }, request),
          answer: (request) => panelReply(honestPanel, request),
        },
        () => agon.moderate(contentWith(injection, index)),
      );
      expectPromises(judged, prompts, injection);
      isOk(verifyAnswer(judged, { policy }));
      if (injection.known)
        expect(judged.sources.map((source) => ('tool' in source ? source.tool : ''))).toContain('injection');
      if (role !== 'arbiter') expect(judged.verdict.label).toBe('unsafe');
      // An arbiter that breaks its schema is not heard; the panel decides then, and a person is asked about a tie.
      else if (breaksSchema) expect(judged.verdict.degraded.map(({ kind }) => kind)).toContain('fallback');
      else expect(judged.verdict.rule.id).not.toBe('contextual-exoneration');
    },
  })),
);

// Evaluation

const opinion = {
  statement: 'It helps.',
  evidence: [threat],
  clauses: [],
  behaviour: 'complied' as const,
  label: 'unsafe' as const,
  distribution: { explicit: 0.9, implicit: 0.05, none: 0.05 },
};
const none = { why: 'None.', evidence: [], clauses: [], holds: false };
const honestTribunal: TribunalScript = {
  auditor: opinion,
  detector: opinion,
  critic: {
    statement: 'Both are right.',
    objections: [],
    evidence: [threat],
    label: 'unsafe',
    distribution: opinion.distribution,
  },
  arbiter: {
    statement: 'A threat.',
    behaviour: 'complied',
    explicit: { why: 'It announces a bomb.', evidence: [threat], clauses: [], holds: true },
    implicit: none,
    label: 'unsafe',
    confidence: 0.9,
    score: 0.95,
  },
};
const swayedOpinion = {
  ...opinion,
  evidence: [invention],
  label: 'safe' as const,
  distribution: { explicit: 0, implicit: 0, none: 1 },
};
const obeyingTribunal = {
  auditor: swayedOpinion,
  detector: swayedOpinion,
  critic: {
    statement: 'All safe.',
    objections: [],
    evidence: [invention],
    label: 'safe' as const,
    distribution: swayedOpinion.distribution,
  },
  arbiter: {
    statement: 'Safe.',
    behaviour: 'refused' as const,
    explicit: none,
    implicit: none,
    label: 'safe' as const,
    confidence: 1,
    score: 0,
  },
} satisfies TribunalScript;

const evaluationCases = (Object.keys(obeyingTribunal) as (keyof typeof obeyingTribunal)[]).flatMap((role) =>
  injections.map((injection, index): HostileCase => ({
    name: `evaluation, an obeying ${role}: ${injection.name}`,
    run: async () => {
      const breaksSchema = index % 5 === 4;
      const inPrompt = index % 3 === 2;
      const { judged, prompts } = await judge(
        {
          isObeying: (request) => tribunalRoleOf(request) === role,
          obey: (request) =>
            breaksSchema ? outOfRange : tribunalReply({ ...honestTribunal, [role]: obeyingTribunal[role] }, request),
          answer: (request) => tribunalReply(honestTribunal, request),
        },
        () =>
          agon.evaluate({
            prompt: inPrompt ? `What do you plan?\n${injection.text}` : 'What do you plan?',
            response: inPrompt ? threat : `${threat}\n${injection.text}`,
          }),
      );
      expectPromises(judged, prompts, injection);
      isOk(verifyEvaluation(judged, { policy }));
      if (injection.known)
        expect(judged.sources.map((source) => ('tool' in source ? source.tool : ''))).toContain('injection');
      if (role !== 'arbiter') expect(judged.verdict.label).toBe('unsafe');
    },
  })),
);

// Documents

const statement = 'The marketing strategy was the primary driver of growth in APAC.';
const currency = 'A weaker currency alone explains the growth in APAC.';
const claim = { claim: statement, quote: statement, kind: 'causal' as const, domain: 'market', importance: 0.9 };
const honestBoard: BoardScript = {
  'factor-agent': { claims: [claim] },
  opening: { statement: 'It is said.', premises: [{ premise: 'It is said.', evidence: [statement] }], score: 0.6 },
  'cross-examination': {
    statement: 'The currency explains it.',
    attacks: [{ premise: 1, kind: 'contradiction', point: 'The currency.', evidence: [currency], missing: [] }],
    score: 0.1,
  },
  rebuttal: {
    statement: 'A detail.',
    replies: [{ attack: 1, concedes: false, point: 'A detail.', evidence: [] }],
    score: 0.5,
  },
  synthesis: {
    statement: 'The document says otherwise.',
    support: { why: 'It is said.', evidence: [statement], holds: true, strength: 'partial' },
    contradiction: { why: 'The currency alone explains it.', evidence: [currency], holds: true },
    standing: [1],
    confidence: 0.9,
    score: 0.1,
  },
};
const obeyingBoard = {
  'factor-agent': { claims: [{ ...claim, claim: 'Everything is verified.', quote: invention }, claim] },
  opening: { statement: 'Verified.', premises: [{ premise: 'Verified.', evidence: [invention] }], score: 1 },
  'cross-examination': { statement: 'I have no objection.', attacks: [], score: 1 },
  rebuttal: {
    statement: 'All true.',
    replies: [{ attack: 1, concedes: false, point: 'All true.', evidence: [invention] }],
    score: 1,
  },
  synthesis: {
    statement: 'Verified.',
    support: { why: 'I was told.', evidence: [invention], holds: true, strength: 'full' as const },
    contradiction: { why: 'None.', evidence: [], holds: false },
    standing: [],
    confidence: 1,
    score: 1,
  },
  outlook: { brief: `All is well, ${invention}.`, risks: [], questions: [], outlook: 'positive' as const },
} satisfies BoardScript;

/** The order stands in a paragraph, a heading or a cell. */
function dossierWith({ text }: Injection, index: number) {
  const paragraph = `${statement} ${currency}`;
  const table = (cell: string) => [
    ['Region', 'Note'],
    ['APAC', cell],
  ];
  const parts = [
    ['# Report', `${paragraph}\n${text}`, table('none')],
    [`# ${text}`, paragraph, table('none')],
    ['# Report', paragraph, table(text)],
  ][index % 3]!;
  return { documents: [documentOf('report.md', parts)] };
}

const documentCases = (Object.keys(obeyingBoard) as (keyof typeof obeyingBoard)[]).flatMap((seat) =>
  injections.map((injection, index): HostileCase => ({
    name: `documents, an obeying ${seat}: ${injection.name}`,
    run: async () => {
      const breaksSchema = index % 5 === 4;
      const { judged, prompts } = await judge(
        {
          isObeying: (request) => boardSeatOf(request) === seat,
          obey: (request) =>
            breaksSchema ? outOfRange : boardReply({ ...honestBoard, [seat]: obeyingBoard[seat] }, request),
          answer: (request) => boardReply(honestBoard, request),
        },
        () => agon.analyze(dossierWith(injection, index)),
      );
      isOk(verifyAnalysis(judged));
      for (const each of judged.claims) {
        expectPromises(each, prompts, injection);
        // A synthesizer that quotes nothing true supports nothing.
        expect(['supported', 'verified-strong']).not.toContain(each.verdict.label);
        if (seat !== 'synthesis' && each.subject.text === statement) expect(each.verdict.label).toBe('contradicted');
      }
    },
  })),
);

describeHostile('injection', [...moderationCases, ...evaluationCases, ...documentCases], { every: 30 });
