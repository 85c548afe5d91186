import type { Analysis } from './analysis-schema.ts';

/** How a dossier is judged: AETHER's debate for each claim, or one of the judges it is held against. */
export const documentMethods = ['debate', 'single', 'zero-shot', 'vote', 'control'] as const;
/**
 * `debate`: affirmative, dissenting, synthesizer. `single`: one check for each claim, over the same case file.
 * `zero-shot`: one judge reads the whole dossier once and labels all claims; no retrieval, no number tools.
 * `vote`: the model of each seat checks each claim as `single` does, and the majority decides. `control`: the one of
 * `single` votes again and again, for the tokens that the debate spent on the claim.
 */
export type DocumentMethod = (typeof documentMethods)[number];

export type DocumentPlan = Analysis['provenance']['plan'];

/** The paper's temperatures; twelve claims; what a model of today reads with ease. */
export const defaultDocumentPlan: DocumentPlan = {
  method: 'debate',
  maxFactors: 12,
  temperature: { factors: 0, debate: 0.7, synthesis: 0 },
  retrieval: { blocks: 16, characters: 24_000 },
  chunkCharacters: 24_000,
  concurrency: 4,
};

/** The seats with a reasoner of their own; the synthesizer's also has outlook, `single`, `control`, `zero-shot`. */
export type DocumentSeat = 'factor-agent' | 'affirmative' | 'dissenting' | 'synthesizer';

const everySeat: readonly DocumentSeat[] = ['factor-agent', 'affirmative', 'dissenting', 'synthesizer'];
const oneJudge: readonly DocumentSeat[] = ['factor-agent', 'synthesizer'];

/** The seats that a method asks. */
export const documentSeats: Readonly<Record<DocumentMethod, readonly DocumentSeat[]>> = {
  debate: everySeat,
  vote: everySeat,
  single: oneJudge,
  control: oneJudge,
  'zero-shot': oneJudge,
};
