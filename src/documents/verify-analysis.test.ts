import { afterEach, describe, expect, test } from 'vitest';
import { analysed, boardroomSetup, documentOf, startFakeBoardroom, type BoardScript } from '../../test/support/fake-boardroom.ts';
import { sealOf } from '../debate/index.ts';
import { hashOf, sha256 } from '../hash.ts';
import { readAnalysis, verifyAnalysis, type Analysis, type DocumentPlan } from './index.ts';
import { selectClaims } from './select-claims.ts';

const growth = 'Revenue in APAC grew by 51% from Q2 2024 to Q3 2024.';
const bytes = new TextEncoder().encode('the file');
const dossier = {
  documents: [{ ...documentOf('report.md', [growth, 'Customers named the campaign as their reason to buy.', [['Revenue in million USD', 'Q2 2024', 'Q3 2024'], ['APAC', '4.0', '4.6'], ['EMEA', '3.0', '2.7']]]), hash: sha256(bytes) }],
};
const script: BoardScript = {
  'factor-agent': {
    claims: [
      { claim: growth, quote: growth, kind: 'assertion', domain: 'finance', importance: 0.9 },
      { claim: 'The campaign sold.', quote: 'Customers named the campaign', kind: 'causal', domain: 'market', importance: 0.5 },
    ],
  },
  opening: { premises: [{ premise: 'It is said.', evidence: [growth, 'Nobody said this.'] }] },
  'cross-examination': { attacks: [{ premise: 1, kind: 'missing-data', point: 'No margins.', evidence: [], missing: ['profit margin'] }] },
  synthesis: { support: { why: 'It is said.', evidence: ['reason to buy'], holds: true, strength: 'full' }, standing: [1], score: 0.7 },
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

async function traced(plan: Partial<DocumentPlan> = {}): Promise<Analysis> {
  const provider = await startFakeBoardroom(script);
  closers.push(provider.close);
  return readAnalysis(JSON.stringify(await analysed(dossier, boardroomSetup(provider, plan))), 'trace.json');
}

/** Whoever forges a trace well also seals it, claim by claim. */
function forged(analysis: Analysis, change: (copy: any) => void): Analysis {
  const copy = structuredClone(analysis);
  change(copy);
  const claims = copy.claims.map((claim) => ({ ...claim, seal: sealOf(claim) }));
  const { seal: _, ...content } = { ...copy, claims };
  return { ...content, seal: hashOf(content) };
}

const wrongOf = (analysis: Analysis) => verifyAnalysis(analysis).filter(({ outcome }) => outcome === 'wrong').map(({ name }) => name);
const computed = (entries: any[], name: string) => entries.find((entry) => entry.name === name);

describe('a debate trace is rechecked by code alone', () => {
  test('one as it was given passes every check, also after it was written and read', async () => {
    const analysis = await given();
    expect(verifyAnalysis(analysis, { files: [{ name: 'report.md', bytes }] }).map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
      'seal ok', 'files ok', 'sources ok', 'quotations ok', 'numbers ok', 'claims ok', 'absences ok', 'rules ok', 'outlook ok',
    ]);
    expect(verifyAnalysis(analysis).find(({ name }) => name === 'quotations')!.detail).toMatch(/\d+ quotations stand in their sources, 2 were rightly struck/);
  });

  test.each(['single', 'zero-shot'] as const)('so does one of the method %s', async (method) => {
    expect(wrongOf(await traced({ method }))).toEqual([]);
  });

  test('so does one with fewer claims than were found', async () => {
    expect(wrongOf(await traced({ maxFactors: 1 }))).toEqual([]);
  });

  test('another file, or one that was not read, shows', async () => {
    const analysis = await given();
    expect(verifyAnalysis(analysis, { files: [{ name: 'report.md', bytes: bytes.slice(1) }] }).find(({ name }) => name === 'files')).toMatchObject({ outcome: 'wrong', detail: 'report.md is not the file that was read' });
    expect(verifyAnalysis(analysis, { files: [{ name: 'other.md', bytes }] }).find(({ name }) => name === 'files')).toMatchObject({ outcome: 'wrong' });
  });

  test('files of the same name are told apart by what they hold, whatever their order', async () => {
    const analysis = await given();
    const [first] = analysis.documents;
    const other = new TextEncoder().encode('the other file');
    const pair = { ...analysis, documents: [first!, { ...first!, name: 'report (2).md', hash: sha256(other) }] };
    const outcome = (...contents: Uint8Array[]) => verifyAnalysis(pair, { files: contents.map((content) => ({ name: 'report.md', bytes: content })) }).find(({ name }) => name === 'files')!.outcome;
    expect([outcome(bytes, other), outcome(other, bytes), outcome(bytes, bytes.slice(1))]).toEqual(['ok', 'ok', 'wrong']);
  });

  test('a change shows by the seal', async () => {
    const analysis = await given();
    expect(wrongOf({ ...analysis, id: 'other' })).toEqual(['seal']);
    const [first, ...others] = analysis.claims;
    const claims = [{ ...first!, id: 'other' }, ...others];
    const { seal: _, ...content } = { ...analysis, claims };
    expect(wrongOf({ ...content, seal: hashOf(content) })).toEqual(['seal']);
  });

  test.each<[what: string, checks: string[], change: (copy: any) => void]>([
    ['a label', ['rules', 'outlook'], (copy) => (copy.claims[0].verdict.label = 'verified-strong')],
    ['the rule', ['rules'], (copy) => (copy.claims[0].verdict.rule.why = 'Because.')],
    ['an outlook', ['outlook'], (copy) => (copy.outlook.label = 'positive')],
    ['a brief', ['outlook'], (copy) => (copy.outlook.brief = 'All is well.')],
    ['a risk that is left out', ['outlook'], (copy) => (copy.outlook.risks = [])],
    ['a cell', ['sources', 'numbers'], (copy) => (copy.documents[0].blocks[2].table.cells.find(({ text }: { text: string }) => text === '4.6').text = '6.04')],
    ['a quote of a turn', ['quotations'], (copy) => (copy.claims[0].transcript[0].evidence[0].quote = 'Revenue fell.')],
    ['a quote of the verdict', ['quotations', 'rules'], (copy) => (copy.claims[1].verdict.evidence[0].quote = 'reason to sell')],
    ['a struck quote that is called verified', ['quotations', 'rules'], (copy) => (copy.claims[0].transcript[0].evidence[1] = { quote: 'Nobody said this.', source: 'report.md#b1', start: 0, end: 17, verified: true })],
    ['a quote of the factor agent', ['quotations'], (copy) => (copy.transcript[0].evidence[0].start = 3)],
    ['a number finding', ['numbers'], (copy) => (copy.numbers[0].arithmetic = '1 + 1 = 3')],
    ['a conflict that is left out', ['sources', 'numbers', 'rules'], (copy) => (copy.claims[0].numbers = [])],
    ['a search that comes out otherwise', ['absences'], (copy) => {
      for (const claim of copy.claims) claim.absences[0].accepted = computed(claim.transcript, 'absences').value[0].accepted = false;
    }],
    ['what the debaters were shown', ['sources'], (copy) => (copy.claims[1].sources.find(({ id }: { id: string }) => id === 'report.md#b2').text += ' Not all of them.')],
    ['a claim', ['sources', 'claims'], (copy) => (copy.claims[1].subject.text = 'The campaign failed.')],
    ['a claim that is left out', ['claims'], (copy) => copy.claims.pop()],
    ['a factor agent that is left out', ['claims', 'outlook'], (copy) => {
      const nothing = selectClaims([], copy, 5);
      [copy.claims, copy.coverage, computed(copy.transcript, 'selection').value] = [[], nothing.coverage, nothing];
      copy.transcript = copy.transcript.filter(({ seat }: { seat?: string }) => seat !== 'factor-agent');
    }],
    ['the coverage', ['claims'], (copy) => copy.coverage.push({ block: 'report.md#b1', quote: '', why: '' })],
    ['role collapse', ['rules'], (copy) => (copy.claims[0].roleCollapse = true)],
    ['an answer that cannot be read', ['rules'], (copy) => (copy.claims[0].transcript[0].answer = { statement: 1 })],
  ])('a sealed forgery shows by what it contradicts: %s', async (_what, checks, change) => {
    const wrong = wrongOf(forged(await given(), change));
    expect(wrong).toEqual(checks);
  });
});

describe('reading a trace', () => {
  test('says in one line what is wrong with it', async () => {
    expect(() => readAnalysis('{', 'x.json')).toThrow(/^x\.json is not JSON/);
    expect(() => readAnalysis('{"version":2}', 'x.json')).toThrow(/^x\.json is not an analysis of Agon: version/);
    const analysis = await given();
    const broken = structuredClone(analysis) as any;
    broken.claims[1].transcript[0].evidence = 'none';
    expect(() => readAnalysis(JSON.stringify(broken), 'x.json')).toThrow(/^x\.json, claim-02 is not an answer of Agon: transcript\.0\.evidence/);
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
