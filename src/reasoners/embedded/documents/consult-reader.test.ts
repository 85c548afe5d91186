import { describe, expect, it } from 'vitest';
import { createAgon } from '../../../app/index.ts';
import { findTurns } from '../../../debate/index.ts';
import { verifyAnalysis, type ClaimAnswer } from '../../../jobs/documents/index.ts';
import { embeddedModel } from '../index.ts';

const agon = await createAgon(
  { seats: { default: embeddedModel } },
  { environment: { AGON_SECRET: 'for tests only, thirty-two characters' }, jobs: ['documents'] },
);

const file = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) });
const bridge = file(
  'bridge.json',
  JSON.stringify({
    title: ['Halden Bridge'],
    Carries: ['4 lanes of Route 112', 'pedestrians and bicycles'],
    Crosses: ['River Ise'],
    Locale: ['Halden and Moss'],
    Design: ['Suspension bridge'],
    Material: ['Steel', 'concrete'],
    'Total length': ['1,284 metres'],
    'Longest span': ['410 metres'],
    Opened: ['14 June 1978'],
    Toll: ['None since 2004'],
  }),
);
const licence = file(
  'licence.txt',
  [
    'The Licensee shall keep all Know-How secret for a period of five years after the date of disclosure.',
    'The Licensee shall not modify, decompile or reverse-engineer the Firmware.',
    'The Licensee may disclose Know-How to its employees who need to know it for the Purpose.',
    'Upon termination the Licensee shall return or destroy all copies of the Firmware.',
  ].join('\n\n'),
);
const story = file(
  'story.txt',
  'The ferry left Kirkwall in the morning with 84 passengers.\n\nFog came up before noon, and the captain turned back.',
);

const made = 'The Halden Bridge was built with more than one material.';

const told = ({ transcript }: ClaimAnswer) => findTurns(transcript).flatMap(({ statement }) => statement);
const isHeard = (claim: ClaimAnswer) => told(claim).some((statement) => statement.includes('The reader '));

describe('the reader', () => {
  it('lets a claim about a record pass in part, no further, and says so', async () => {
    const analysis = await agon.analyze([bridge], { factors: [made] });
    const [claim] = analysis.claims;
    expect(told(claim!).join(' ')).toMatch(/The reader takes the record to support it \(0\.\d\d\)\./);
    expect(claim!.verdict).toMatchObject({ label: 'supported', rule: { id: 'partial-support' } });
    expect(claim!.verdict.confidence).toBeLessThan(0.7);
    expect(analysis.provenance.digests).toHaveProperty(['embedded:reader-1']);
    expect(verifyAnalysis(analysis).filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
  });

  it('finds that a contract does not mention something, and holds it back', async () => {
    const { claims } = await agon.analyze([licence], {
      factors: ['The Licensee must pay royalties to the other party each quarter.'],
    });
    expect(claims[0]!.verdict).toMatchObject({ label: 'unsupported', rule: { id: 'no-support' } });
    expect(claims[0]!.verdict.rule.why).toMatch(/The reader finds it not mentioned \(0\.\d\d\)\./);
  });

  it('is not asked where wording is near to a line, in prose that tells, and about the document’s own sentences', async () => {
    const near = await agon.analyze([licence], { factors: ['The Licensee shall not reverse-engineer the Firmware.'] });
    expect(near.claims.map(({ verdict }) => verdict.label)).toEqual(['supported']);
    const tells = await agon.analyze([story], { factors: ['A boat had to return since one could not see far.'] });
    const own = await agon.analyze([licence]);
    expect([...near.claims, ...tells.claims, ...own.claims].filter(isHeard)).toEqual([]);
  });

  it('never makes a claim verified or contradicted', async () => {
    const { claims } = await agon.analyze([bridge], {
      factors: [made, 'The Halden Bridge took nine years to build.', 'The Halden Bridge is made of wood.'],
    });
    for (const { verdict } of claims) expect(['supported', 'unsupported']).toContain(verdict.label);
  });
});
