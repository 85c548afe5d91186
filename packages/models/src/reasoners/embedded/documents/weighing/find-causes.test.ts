import { describe, expect, it } from 'vitest';
import { ingestDocument, type Dossier, type NumberPlace } from '@agonhq/documents';
import { findCauses } from './find-causes.ts';

async function dossierOf(...sentences: string[]): Promise<Dossier> {
  return {
    documents: [
      await ingestDocument(new TextEncoder().encode(sentences.join('\n\n')), 'note.txt', { readImageText: null }),
    ],
  };
}

function originOf(sentence: string, { documents: [document] }: Dossier): NumberPlace {
  const start = document!.text.indexOf(sentence);
  const block = document!.blocks.find((candidate) => candidate.start <= start && start < candidate.end)!;
  return { block: `${document!.name}#${block.id}`, start, end: start + sentence.length };
}

const claim = 'Revenue grew 15% in 2024, driven by the new marketing strategy.';

async function causesWith(...others: string[]) {
  const dossier = await dossierOf(claim, ...others);
  return findCauses(claim, dossier, originOf(claim, dossier))!;
}

describe('the cause that a claim names', () => {
  it('is backed where another sentence speaks of it with its effect', async () => {
    const backing = 'The marketing strategy added 3 million to our revenue over the year.';
    expect((await causesWith(backing)).backing).toEqual([backing]);
    expect((await causesWith('Our strategy is to sell more.', 'Marketing has a new office.')).backing).toEqual([]);
  });

  it('is not backed by its own sentence, however often it is said', async () => {
    expect((await causesWith(claim, claim.toUpperCase())).backing).toEqual([]);
  });

  it('has an alternative where the document names another cause for the same effect', async () => {
    const other = 'Revenue grew in 2024 mainly due to a weaker currency.';
    expect((await causesWith(other)).alternatives).toEqual([other]);
  });

  it.each([
    'Revenue fell in 2024 due to a weaker currency.', // The other way.
    'Revenue grew 4% in 2024 due to a weaker currency.', // Another amount: another effect.
    'Revenue grew in 2021 due to a weaker currency.', // Another year.
    'Costs grew in 2024 due to a weaker currency.', // Another effect.
    'Revenue grew in 2024 due to the marketing strategy.', // The same cause.
  ])('has none in: %s', async (other) => {
    expect((await causesWith(other)).alternatives).toEqual([]);
  });

  it('is not looked for in a claim that names none', async () => {
    expect(findCauses('Revenue grew.', await dossierOf('Revenue grew.'), null)).toBeNull();
  });
});
