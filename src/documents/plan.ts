/** How a dossier is judged: AETHER's debate for each claim, or one of the judges it is held against. */
export const documentMethods = ['debate', 'single', 'zero-shot'] as const;
/**
 * `debate`: affirmative, dissenting, synthesizer. `single`: one check for each claim, over the same case file.
 * `zero-shot`: one judge reads the whole dossier once and labels all claims; no retrieval, no number tools.
 */
export type DocumentMethod = (typeof documentMethods)[number];

export interface DocumentPlan {
  method: DocumentMethod;
  /** At most so many claims are judged, the most important first. */
  maxFactors: number;
  temperature: {
    /** Of the factor agent. */
    factors: number;
    /** Of affirmative and dissenting. */
    debate: number;
    /** Of the synthesizer and of the judges the debate is held against. */
    synthesis: number;
  };
  retrieval: {
    /** At most so many blocks for a claim, … */
    blocks: number;
    /** … of so many characters in all. A dossier that is no longer is read whole. */
    characters: number;
  };
  /** The factor agent reads so many characters at once. */
  chunkCharacters: number;
  /** So many debates run at a time. */
  concurrency: number;
}

/** The paper's temperatures; twelve claims; what a model of today reads with ease. */
export const defaultDocumentPlan: DocumentPlan = {
  method: 'debate',
  maxFactors: 12,
  temperature: { factors: 0, debate: 0.7, synthesis: 0 },
  retrieval: { blocks: 16, characters: 24_000 },
  chunkCharacters: 24_000,
  concurrency: 4,
};

/** The seats that have a reasoner of their own. The outlook is the synthesizer's, and so are `single` and `zero-shot`. */
export type DocumentSeat = 'factor-agent' | 'affirmative' | 'dissenting' | 'synthesizer';
