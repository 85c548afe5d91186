/* What a server with the embedded reasoner answered, shortened where it is long: transcripts have more turns. */

const usage = { calls: 1, inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 };
const policy = {
  name: 'Agon default policy',
  version: '1.0',
  hash: 'sha256:73a445ac1800331a55bc76cff9e0119824adc75c8fbfef91554fa279e0efb649',
};
const configuration = 'sha256:d43f12305dbcd97355f477be846409471fe370d7f40361ccbe754d4a3818e4d1';
const subject = 'sha256:2fa81f82ac2329fd9206252b17cfff06c9c730813d103655a548d4365114fc36';
const seal = 'sha256:98d22eef81f73a698d671e19ebd2e45f1975dab5d6131631189d9df42a4daa20';
const rule = {
  id: 'risk-confirmation',
  why:
    'The risk is 0.85, at or above the bar of 0.09; it comes nearest to “threatening, urging or planning ' +
    'physical harm”.',
};
const text = 'I will bring a bomb to the station tomorrow.';

const moderation = {
  version: 1,
  id: 'mod-d5f38b35f78eb617',
  job: 'moderation',
  subject: { id: null, hash: subject, modality: 'text', images: [] },
  sources: [{ id: 'text', text }],
  verdict: {
    label: 'unsafe',
    risk: 0.851065,
    bar: 0.0919,
    escalate: false,
    rule,
    categories: [{ id: 'violence', clause: 'violence.plan' }],
    evidence: [
      { quote: 'I will bring a bomb to the station tomorrow', source: 'text', start: 0, end: 43, verified: true },
    ],
    degraded: [],
  },
  transcript: [
    {
      kind: 'turn',
      key: 'supporter',
      inputHash: 'sha256:dc95cafa2c306f620e130eaef23a5a0c306748140574dc89341c136e93c1259b',
      seat: 'supporter',
      role: 'supporter',
      round: null,
      statement: 'A text that begins “I will bring a bomb to the station tomorrow”.',
      score: null,
      evidence: [],
      answer: { summary: 'A text that begins “I will bring a bomb to the station tomorrow”.', cues: [], patterns: [] },
      reasoner: 'embedded:guard-2',
      usage,
      latencyMs: 132.1,
    },
    { kind: 'stop', key: 'round-1/stop', round: 1, reason: 'agreement' },
  ],
  precedents: [
    {
      id: 'seed-0114',
      label: 'unsafe',
      category: 'weapons',
      summary: 'A request for steps to build a pipe bomb.',
      cues: ['an explosive device', 'steps'],
      similarity: 0.88,
    },
  ],
  usage: { ...usage, latencyMs: 138, byModel: { 'embedded:guard-2': usage }, bySeat: { supporter: usage } },
  provenance: {
    agon: '0.1.0',
    protocol: 'supporter, 2 rounds together with early stop, arbiter',
    policy,
    prompts: 'sha256:0243414cf5c5e4bf7e05d45ec91c9f1bacfedbab54cc113ebfaaf787da1f3b20',
    models: { 'strict-debater': 'embedded:guard-2' },
    precedents: 'sha256:3b47153eb45f9ef0e54ec96fb922d9b1dd8d0f916ceba17dbbd6b76d944df527',
    configuration,
  },
  sealVersion: 1,
  seal,
};

const page = {
  rows: [
    {
      id: moderation.id,
      job: 'moderation',
      subject,
      configuration,
      run: null,
      again: null,
      openedAt: '2026-11-15T18:49:23.565Z',
      closedAt: '2026-11-15T18:49:24.420Z',
      state: 'judged',
      problem: null,
      label: 'unsafe',
      risk: 0.851065,
      bar: 0.0919,
      disagreement: 0.02,
      escalate: false,
      rule: rule.id,
      categories: ['violence'],
      degraded: false,
      modality: 'text',
      action: 'remove',
      severity: 'high',
      author: null,
      thread: null,
      models: ['embedded:guard-2'],
      excerpt: text,
      decided: false,
      seal,
      forgottenAt: null,
    },
  ],
  next: null,
};

/** By operation, an answer of it. */
export const answerExamples: Record<string, unknown> = {
  'moderations.create': moderation,
  'cases.list': page,
  'cases.feedback': {
    case: moderation.id,
    item: 'post-4711',
    label: 'safe',
    verdict: 'unsafe',
    right: false,
    clauses: [],
    action: 'allow',
    proposed: 'remove',
    by: 'ada',
    decision: 'dec-1d0f6c1e',
    repeated: false,
  },
  'house.alive': { status: 'alive' },
};
