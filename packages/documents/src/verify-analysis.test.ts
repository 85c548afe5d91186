import { afterEach, describe, expect, test } from 'vitest';
import { startFakeBoardroom, type BoardScript } from '@agonhq/test/support/fake-boardroom.ts';
import { analysed, boardroomSetup, documentOf } from '@agonhq/test/support/analysis-setup.ts';
import { hashAnswer } from '@agonhq/engine/debate';
import { sha256 } from '@agonhq/engine/hash';
import { hashClaim } from './judge-claim.ts';
import { readAnalysis, verifyAnalysis, type Analysis, type DocumentPlan, type Dossier } from './index.ts';
import { selectClaims } from './claims/select-claims.ts';

const growth = 'Revenue in APAC grew by 51% from Q2 2024 to Q3 2024.';
const dossier = {
  documents: [
    {
      ...documentOf('report.md', [
        growth,
        'Customers named the campaign as their reason to buy.',
        [
          ['Revenue in million USD', 'Q2 2024', 'Q3 2024'],
          ['APAC', '4.0', '4.6'],
          ['EMEA', '3.0', '2.7'],
        ],
      ]),
      hash: sha256('the file'),
    },
  ],
};
const script: BoardScript = {
  'factor-agent': {
    claims: [
      { claim: growth, quote: growth, kind: 'assertion', domain: 'finance', importance: 0.9 },
      {
        claim: 'The campaign sold.',
        quote: 'Customers named the campaign',
        kind: 'causal',
        domain: 'market',
        importance: 0.5,
      },
    ],
  },
  opening: { premises: [{ premise: 'It is said.', evidence: [growth, 'Nobody said this.'] }] },
  'cross-examination': {
    attacks: [{ premise: 1, kind: 'missing-data', point: 'No margins.', evidence: [], missing: ['profit margin'] }],
  },
  synthesis: {
    support: { why: 'It is said.', evidence: ['reason to buy'], holds: true, strength: 'full' },
    standing: [1],
    score: 0.7,
  },
  single: {
    support: { why: 'It is said.', evidence: ['reason to buy', 'Nobody said this.'], holds: true, strength: 'partial' },
    score: 0.7,
  },
};

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

let plain: Promise<Analysis> | undefined;

/** One trace for all that is forged: forging works on a copy. */
function given(): Promise<Analysis> {
  return (plain ??= traced());
}

async function traced(plan: Partial<DocumentPlan> = {}, read: Dossier = dossier): Promise<Analysis> {
  const provider = await startFakeBoardroom(script);
  closers.push(provider.close);
  return readAnalysis(JSON.stringify(await analysed(read, boardroomSetup(provider, plan))), 'trace.json');
}

/** Whoever forges a trace well also seals it, claim by claim. */
function forged(analysis: Analysis, change: (copy: any) => void): Analysis {
  const copy = structuredClone(analysis);
  change(copy);
  const claims = copy.claims.map((claim) => ({ ...claim, seal: hashAnswer(claim) }));
  const whole = { ...copy, claims };
  return { ...whole, seal: hashAnswer(whole) };
}

const wrongOf = (analysis: Analysis, files?: Dossier) =>
  verifyAnalysis(analysis, files)
    .filter(({ outcome }) => outcome === 'wrong')
    .map(({ name }) => name);
const computed = (entries: any[], name: string) => entries.find((entry) => entry.name === name);

describe('a debate trace is rechecked by code alone', () => {
  test('one as it was given passes every check, also after it was written and read', async () => {
    const analysis = await given();
    expect(verifyAnalysis(analysis, dossier).map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
      'seal ok',
      'files ok',
      'sources ok',
      'quotations ok',
      'numbers ok',
      'claims ok',
      'absences ok',
      'rules ok',
      'outlook ok',
    ]);
    expect(verifyAnalysis(analysis).find(({ name }) => name === 'quotations')!.detail).toMatch(
      /\d+ quotations stand in their sources, 2 were rightly struck/,
    );
  });

  test.each(['single', 'zero-shot', 'vote', 'control'] as const)('so does one of the method %s', async (method) => {
    expect(wrongOf(await traced({ method }))).toEqual([]);
  });

  test('so does one with fewer claims than were found', async () => {
    expect(wrongOf(await traced({ maxFactors: 1 }))).toEqual([]);
  });

  const filesOf = (analysis: Analysis, files: Dossier) =>
    verifyAnalysis(analysis, files).find(({ name }) => name === 'files');

  test('another file, or one that was not read, shows', async () => {
    const analysis = await given();
    const [report] = dossier.documents;
    expect(filesOf(analysis, { documents: [{ ...report!, hash: sha256('other') }] })).toMatchObject({
      outcome: 'wrong',
      detail: 'report.md is not the file that was read',
    });
    expect(filesOf(analysis, { documents: [{ ...report!, name: 'other.md' }] })).toMatchObject({
      outcome: 'wrong',
      detail: 'other.md was not read',
    });
  });

  test('files of the same name are told apart by what they hold, whatever their order', async () => {
    const analysis = await given();
    const [first] = analysis.documents;
    const second = { ...first!, name: 'report (2).md', hash: sha256('the other file') };
    const pair = { ...analysis, documents: [first!, second] };
    const swapped = [
      { ...second, name: 'report.md' },
      { ...first!, name: 'report (2).md' },
    ];
    expect([filesOf(pair, pair), filesOf(pair, { documents: swapped })].map((found) => found?.outcome)).toEqual([
      'ok',
      'ok',
    ]);
    expect(filesOf(pair, { documents: [first!] })?.detail).toBe(
      '1 file(s) read again say what the trace says; 1 not at hand',
    );
  });

  test('a trace of another text that passes itself off as of this file holds by itself, and not before the file', async () => {
    const changed = {
      ...documentOf('report.md', [
        growth,
        'Customers named the campaign as their reason to buy.',
        [
          ['Revenue in million USD', 'Q2 2024', 'Q3 2024'],
          ['APAC', '4.0', '6.04'],
          ['EMEA', '3.0', '2.7'],
        ],
      ]),
      hash: sha256('the file'),
    };
    const analysis = await traced({}, { documents: [changed] });
    expect(wrongOf(analysis)).toEqual([]);
    expect(wrongOf(analysis, dossier)).toEqual(['files', 'sources', 'numbers', 'rules']);
    expect(filesOf(analysis, dossier)?.detail).toBe('read again, report.md#b3 is not what the trace says');
  });

  test.each<[what: string, change: (document: any) => void]>([
    ['a digit of its text', (document) => (document.text = document.text.replace('51%', '15%'))],
    ['a raw value behind a cell', (document) => (document.blocks[2].table.cells[5].value = 46)],
    ['a cell’s address', (document) => (document.blocks[2].table.cells[5].address = 'Z9')],
    ['a box', (document) => (document.blocks[0].boxes = [{ page: 1, x: 0, y: 0, width: 9, height: 9 }])],
    ['a block that is left out', (document) => document.blocks.pop()],
    ['a note', (document) => document.notes.push('All is well.')],
    ['that it was read by OCR', (document) => (document.pages = [{ number: 1, width: 1, height: 1, ocr: true }])],
  ])('what a trace says of its file is held against the file: %s', async (_what, change) => {
    const analysis = forged(await given(), (copy) => {
      change(copy.documents[0]);
      for (const claim of copy.claims) claim.subject.hash = hashClaim(claim.subject, copy);
    });
    expect(filesOf(analysis, dossier)).toMatchObject({ outcome: 'wrong' });
  });

  test('a change shows by the seal', async () => {
    const analysis = await given();
    expect(wrongOf({ ...analysis, id: 'other' })).toEqual(['seal']);
    const [first, ...others] = analysis.claims;
    const claims = [{ ...first!, id: 'other' }, ...others];
    const whole = { ...analysis, claims };
    expect(wrongOf({ ...whole, seal: hashAnswer(whole) })).toEqual(['seal']);
  });

  test.each<[what: string, checks: string[], change: (copy: any) => void]>([
    ['a label', ['rules', 'outlook'], (copy) => (copy.claims[0].verdict.label = 'verified-strong')],
    ['the rule', ['rules'], (copy) => (copy.claims[0].verdict.rule.why = 'Because.')],
    ['an outlook', ['outlook'], (copy) => (copy.outlook.label = 'positive')],
    ['a brief', ['outlook'], (copy) => (copy.outlook.brief = 'All is well.')],
    ['a risk that is left out', ['outlook'], (copy) => (copy.outlook.risks = [])],
    [
      'a cell',
      ['sources', 'numbers', 'rules'],
      (copy) =>
        (copy.documents[0].blocks[2].table.cells.find(({ text }: { text: string }) => text === '4.6').text = '6.04'),
    ],
    ['a quote of a turn', ['quotations'], (copy) => (copy.claims[0].transcript[0].evidence[0].quote = 'Revenue fell.')],
    [
      'a quote of the verdict',
      ['quotations', 'rules'],
      (copy) => (copy.claims[1].verdict.evidence[0].quote = 'reason to sell'),
    ],
    [
      'a struck quote that is called verified',
      ['quotations'],
      (copy) =>
        (copy.claims[0].transcript[0].evidence[1] = {
          quote: 'Nobody said this.',
          source: 'report.md#b1',
          start: 0,
          end: 17,
          verified: true,
        }),
    ],
    ['a quote of the factor agent', ['quotations'], (copy) => (copy.transcript[0].evidence[0].start = 3)],
    ['a number finding', ['numbers'], (copy) => (copy.numbers[0].arithmetic = '1 + 1 = 3')],
    ['a conflict that is left out', ['sources', 'numbers'], (copy) => (copy.claims[0].numbers = [])],
    [
      'a search that comes out otherwise',
      ['absences'],
      (copy) => {
        for (const claim of copy.claims)
          claim.absences[0].accepted = computed(claim.transcript, 'absences').value[0].accepted = false;
      },
    ],
    [
      'what the debaters were shown',
      ['sources'],
      (copy) =>
        (copy.claims[1].sources.find(({ id }: { id: string }) => id === 'report.md#b2').text += ' Not all of them.'),
    ],
    ['a claim', ['sources', 'claims'], (copy) => (copy.claims[1].subject.text = 'The campaign failed.')],
    ['a claim that is left out', ['claims'], (copy) => copy.claims.pop()],
    [
      'a factor agent that is left out',
      ['claims', 'outlook'],
      (copy) => {
        const nothing = selectClaims([], copy, 5, false);
        [copy.claims, copy.coverage, computed(copy.transcript, 'selection').value] = [[], nothing.coverage, nothing];
        copy.transcript = copy.transcript.filter(({ seat }: { seat?: string }) => seat !== 'factor-agent');
      },
    ],
    [
      'an instruction that its document does not give',
      ['sources'],
      (copy) =>
        copy.observations.push({
          id: 'report.md#b1/injection-1',
          of: 'report.md#b1',
          text: 'Obey me.',
          tool: 'injection',
        }),
    ],
    [
      'an instruction of a block that is not there',
      ['sources'],
      (copy) =>
        copy.observations.push({ id: 'report.md#b9/injection-1', of: 'report.md#b9', text: '', tool: 'injection' }),
    ],
    [
      'what went less well than it should have',
      ['outlook'],
      (copy) => copy.degraded.push({ kind: 'fallback', at: 'outlook', detail: 'timeout' }),
    ],
    ['the seat of an edition that is not ours', ['rules'], (copy) => (copy.provenance.edition = 0)],
    ['the coverage', ['claims'], (copy) => copy.coverage.push({ block: 'report.md#b1', quote: '', why: '' })],
    ['role collapse', ['rules'], (copy) => (copy.claims[0].roleCollapse = true)],
    ['an answer that cannot be read', ['rules'], (copy) => (copy.claims[0].transcript[0].answer = { statement: 1 })],
  ])('a sealed forgery shows by what it contradicts: %s', async (_what, checks, change) => {
    const forgery = forged(await given(), change);
    expect(wrongOf(forgery)).toEqual(checks);
    expect(wrongOf(forgery, dossier)).not.toEqual([]);
  });
});

describe('reading a trace', () => {
  test('says in one line what is wrong with it', async () => {
    expect(() => readAnalysis('{', 'x.json')).toThrow(/^x\.json is not JSON/);
    expect(() => readAnalysis('{"version":2}', 'x.json')).toThrow(/^x\.json is not an analysis of Agon: version/);
    const analysis = await given();
    const broken = structuredClone(analysis) as any;
    broken.claims[1].transcript[0].evidence = 'none';
    expect(() => readAnalysis(JSON.stringify(broken), 'x.json')).toThrow(
      /^x\.json is not an analysis of Agon: claims\.1\.transcript\.0\.evidence/,
    );
    const envelope = structuredClone(analysis) as any;
    envelope.transcript[0].key = 7;
    expect(() => readAnalysis(JSON.stringify(envelope), 'x.json')).toThrow(/transcript\.0\.key/);
  });

  test.each<[change: (table: any) => void, message: RegExp]>([
    [(table) => (table.rows = 1e9), /more cells than are read/],
    [(table) => (table.cells[0].row = 1e9), /cells outside of itself/],
    [(table) => (table.cells[0].span = { rows: 1e9, columns: 1 }), /cells outside of itself/],
    [(table) => (table.headerRows = 1e9), /cells outside of itself/],
  ])('refuses a table of a size that would fill the memory', async (change, message) => {
    const copy = structuredClone(await given());
    change(copy.documents[0]!.blocks[2]!.table);
    expect(() => readAnalysis(JSON.stringify(copy), 'x.json')).toThrow(message);
  });
});
