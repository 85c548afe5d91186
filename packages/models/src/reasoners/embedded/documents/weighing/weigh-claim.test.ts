import { describe, expect, it } from 'vitest';
import { ingestDocument, type Dossier } from '@agonhq/documents';
import { weighClaim } from './weigh-claim.ts';

async function dossierOf(name: string, text: string): Promise<Dossier> {
  return { documents: [await ingestDocument(new TextEncoder().encode(text), name, { readImageText: null })] };
}

const league = await dossierOf(
  'league.csv',
  `team,city,wins,losses,attendance
Harbour Lions,Porto,12,4,20100
Northern Foxes,Leeds,9,7,15300
Valley Hawks,Bern,9,7,18250
River Otters,Ghent,3,13,9800
`,
);

const games = await dossierOf(
  'games.csv',
  `date,home team,away team,result,rank
4 May 2024,Bern,Porto,w 3 - 1,4
11 May 2024,Ghent,Leeds,l 0 - 2,2
18 May 2024,Turin,Graz,w 1 - 0,7
25 May 2024,Brno,Lille,l 1 - 2,9
`,
);

const report = await dossierOf(
  'report.md',
  `# Annual report 2024

Revenue rose from $40.0 million in 2023 to $46.0 million in 2024. The operating margin fell to 9.5%.

Northwind opened a plant in Bremen in May 2024. The plant employs 310 people and is not yet profitable.

Management expects stable demand in 2025.
`,
);

const sideOf = (claim: string, dossier: Dossier) => weighClaim(claim, dossier).side;

describe('a claim about a table', () => {
  it.each([
    ['Harbour Lions have 12 wins', 'support'],
    ['Harbour Lions have 9 wins', 'contradiction'],
    ['River Otters have 14 wins', 'contradiction'],
    ['River Otters are from Ghent', 'support'],
    ['River Otters are from Bern', 'contradiction'],
    ['Harbour Lions have the highest attendance', 'support'],
    ['Valley Hawks have the highest attendance', 'contradiction'],
    ['River Otters have the fewest wins', 'support'],
    ['Valley Hawks have the second highest attendance', 'support'],
    ['Northern Foxes have more losses than Harbour Lions', 'support'],
    ['Harbour Lions have more losses than River Otters', 'contradiction'],
    ['Valley Hawks have 2950 more attendance than Northern Foxes', 'support'],
    ['the total attendance is 63450', 'support'],
    ['the total attendance is 61000', 'contradiction'],
    ['the average wins is 8.25', 'support'],
    ['there are 2 teams with 9 wins', 'support'],
    ['there are 3 teams with 9 wins', 'contradiction'],
    ['Harbour Lions are the only team with 12 wins', 'support'],
    ['Valley Hawks are the only team with 9 wins', 'contradiction'],
    ['all teams have 9 wins', 'contradiction'],
    ['River Otters have an attendance of more than 15000', 'contradiction'],
    ['River Otters did not have 3 wins', 'contradiction'],
    ['Northern Foxes and Valley Hawks both have 9 wins', 'support'],
    ['Harbour Lions have more wins than any other team', 'support'],
    ['Valley Hawks have more wins than any other team', 'contradiction'],
    ['Northern Foxes are 1 of 2 teams with 9 wins', 'support'],
    ['Northern Foxes are 1 of 3 teams with 9 wins', 'contradiction'],
    ['there are 2 teams with an attendance of more than 16000', 'support'],
    ['there are 3 teams with an attendance of more than 16000', 'contradiction'],
    ['the lowest attendance is less than 10000', 'support'],
    ['the lowest attendance is less than 9000', 'contradiction'],
    ['a total of 2 teams have 9 wins', 'support'],
  ] as const)('%s: %s', (claim, side) => {
    expect(sideOf(claim, league)).toBe(side);
  });

  it.each([
    ['Porto is the away team on 4 May 2024', 'support'],
    ['Porto is the home team on 4 May 2024', 'contradiction'],
    ['the home team is Leeds on 11 May 2024', 'contradiction'],
    ['there are 2 games with a win', 'support'],
    ['there are 3 games with a win', 'contradiction'],
    ['Ghent has a higher rank than Bern', 'support'],
    ['Bern has a higher rank than Ghent', 'contradiction'],
  ] as const)('by columns of names, results and ranks: %s: %s', (claim, side) => {
    expect(sideOf(claim, games)).toBe(side);
  });

  it('is answered with the rows that decide', () => {
    const { signals } = weighClaim('Valley Hawks have the highest attendance', league);
    expect(signals[0]).toMatchObject({ kind: 'table', quotes: ['Harbour Lions | Porto | 12 | 4 | 20100'] });
  });
});

describe('a claim about a text', () => {
  it.each([
    ['Revenue rose to $46.0 million in 2024.', 'support'],
    ['Revenue rose by 15% from 2023 to 2024.', 'support'],
    ['Revenue fell to $46.0 million in 2024.', 'support'], // One opposite is not enough against all that agrees.
    ['Revenue rose by 22.4% from 2023 to 2024.', 'contradiction'],
    ['Northwind opened a plant in Hamburg in May 2024.', 'unknown'],
    ['Northwind opened a plant in Bremen in May 2021.', 'unknown'],
    ['Penguins live in Antarctica.', 'unknown'],
  ] as const)('%s: %s', (claim, side) => {
    expect(sideOf(claim, report)).toBe(side);
  });

  it('names what is missing, and shows how a number follows', () => {
    expect(weighClaim('Northwind opened a plant in Hamburg in May 2024.', report).signals).toContainEqual(
      expect.objectContaining({ kind: 'name', missing: ['Hamburg'] }),
    );
    expect(weighClaim('Revenue rose by 15% from 2023 to 2024.', report).signals[0]).toMatchObject({
      kind: 'derived',
      why: expect.stringContaining('= 15.00 %'),
    });
  });

  it('is held against a denial that stands nowhere near', () => {
    expect(weighClaim('Revenue never rose in 2024.', report).signals.map(({ kind }) => kind)).toContain('negation');
    expect(weighClaim('The plant is not profitable.', report).signals.map(({ kind }) => kind)).not.toContain(
      'negation',
    );
  });

  it('is not proved by its own sentence', async () => {
    const alone = await dossierOf('note.txt', 'The new strategy was the main driver of growth.');
    const block = alone.documents[0]!.blocks[0]!;
    const origin = { block: `note.txt#${block.id}`, start: block.start, end: block.end };
    expect(weighClaim('The new strategy was the main driver of growth.', alone).nearest).toHaveLength(1);
    expect(weighClaim('The new strategy was the main driver of growth.', alone, { origin }).nearest).toEqual([]);
  });
});

it('quotes nothing that is not in the document', () => {
  for (const dossier of [league, report]) {
    for (const claim of [
      'Harbour Lions have 9 wins',
      'Revenue fell by 30% in 2019',
      'There are 3 teams',
      'The plant never employs people',
      'Margin rose',
    ]) {
      const { signals, nearest } = weighClaim(claim, dossier);
      for (const quote of [...nearest, ...signals.flatMap(({ quotes }) => quotes)])
        expect(dossier.documents[0]!.text).toContain(quote);
    }
  }
});

describe('opposite movements', async () => {
  const review = await dossierOf(
    'review.md',
    'Franchise sales increased by 8 % in 2023. Operating profit dropped by 41 % in 2023. Staff costs fell in 2021.',
  );
  const kinds = (claim: string): string[] => weighClaim(claim, review).signals.map(({ kind }) => kind);

  it('contradict each other when they are said of one thing', () => {
    expect(kinds('Operating profit rose in 2023.')).toContain('opposite');
  });

  it.each(['Marketing sales decreased in 2023.', 'Staff costs rose in 2023.'])(
    'but not of another thing or another year: %s',
    (claim) => {
      expect(kinds(claim)).not.toContain('opposite');
    },
  );
});
