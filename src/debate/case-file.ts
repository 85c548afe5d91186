import type { Source } from '../evidence/index.ts';

/** Text that a tool drew from a raw subject: an image description, OCR text, a decoded payload. */
export interface Observation extends Source {
  /** What made it: `vision`, `ocr`, `base64`, … */
  tool: string;
  /** The source or attachment it was drawn from. */
  of: string;
  /** What a reader should know about it: how it was decoded, why it is only a placeholder. */
  note?: string;
  /** It says all that its source says, in plain letters: whoever reads texts as content reads it in its place. */
  whole?: boolean;
}

/** An image that a reasoner with vision may look at. */
export interface Attachment {
  id: string;
  mediaType: string;
  /** `sha256:…` of the original bytes: what stands for the image in hashes and on record. */
  hash: string;
  data: Uint8Array;
}

/** All that the debaters may see: the subject's own texts, then the observations. Quotes are checked against both. */
export interface CaseFile {
  sources: readonly (Source | Observation)[];
  attachments?: readonly Attachment[];
}

/** Whether a source was drawn by a tool, and is not the subject's own text. */
export function isObservation(source: Source | Observation): source is Observation {
  return 'tool' in source;
}

/** What is read for a source: its plain form where it is disguised as a whole, since no model reads scrambled letters. */
export function findPlainForm(source: Source | Observation, sources: CaseFile['sources']): Source | Observation {
  return sources.find((other) => isObservation(other) && other.whole === true && other.of === source.id) ?? source;
}

/** What the person concerned says for themselves in an appeal: to be weighed, never judged, and not proven. */
export function createStatement(text: string): Observation {
  return {
    id: 'statement',
    text,
    tool: 'statement',
    of: 'appeal',
    note: 'by the person concerned; not part of what is judged, and not proven',
  };
}

/** Whether a source is what the person concerned says in an appeal. */
export function isStatement(source: Source | Observation): boolean {
  return isObservation(source) && source.tool === 'statement';
}
