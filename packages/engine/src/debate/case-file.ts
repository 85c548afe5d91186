import type { Range, Source } from '../evidence/index.ts';
import type { KnownPerson } from '../personal-data/index.ts';

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
  /** What of it can speak against the subject, where that is less than all: a harmless thing has a harmless name. */
  weighed?: string;
  /** Where in its image it was seen. */
  marks?: readonly Mark[];
  /** When in its recording it is said or shown, passage by passage. */
  moments?: readonly Moment[];
}

/** A passage of an observation, and when it is said or shown. */
export interface Moment extends Range {
  /** In seconds from the start of the recording. */
  from: number;
  to: number;
}

/** Where a tool saw something in an image. */
export interface Mark {
  /** What it is, in words; for text, the words themselves. */
  label: string;
  /** How sure the tool is, 0 to 1. */
  sure: number;
  /** In parts of the image's sides, from its top left corner. */
  box: { x: number; y: number; width: number; height: number };
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
  /** Whom the context of the case names: kept from providers that are not trusted with personal data. */
  people?: readonly KnownPerson[];
}

/** Whether a source was drawn by a tool, and is not the subject's own text. */
export function isObservation(source: Source | Observation): source is Observation {
  return 'tool' in source;
}

/** Tools whose observation says what an image shows: a model with vision, the caller, the embedded image models. */
const describers = ['vision', 'given', 'image-models'];

/** Whether a source says what an image shows, and stands for it wherever words are read. */
export function describesImage(source: Source | Observation): boolean {
  return isObservation(source) && describers.includes(source.tool);
}

/** Whether the embedded image models described the image: they name few things, and say nothing of what they mean. */
export function isGlimpse(source: Source | Observation): source is Observation {
  return isObservation(source) && source.tool === 'image-models';
}

/** Whether a source is what is said in a recording. */
export function isTranscript(source: Source | Observation): source is Observation {
  return isObservation(source) && source.tool === 'transcript';
}

/** Whether a source only says that nobody speaks in a recording. */
export function isSilence(source: Source | Observation): boolean {
  return isObservation(source) && source.tool === 'silence';
}

/**
 * Whether a source lists what the embedded image models saw, piece by piece: to be quoted, not to be read as a text.
 */
export function listsSights(source: Source | Observation): boolean {
  return isObservation(source) && ['objects', 'nudity'].includes(source.tool);
}

/**
 * What is read for a source: its plain form where it is disguised as a whole, since no model reads scrambled letters.
 */
export function findPlainForm(source: Source | Observation, sources: CaseFile['sources']): Source | Observation {
  return sources.find((other) => isObservation(other) && other.whole === true && other.of === source.id) ?? source;
}

/**
 * The same without the passages that nobody can read, which show no language; as it stands where nothing else is said.
 */
export function findReadableForm(source: Source | Observation, sources: CaseFile['sources']): { text: string } {
  const plain = findPlainForm(source, sources);
  const text = sources
    .filter((other) => isObservation(other) && other.tool === 'unreadable' && other.of === source.id)
    .reduce((rest, passage) => rest.replace(passage.text, () => ' '), plain.text);
  return /\p{L}/u.test(text) ? { text } : plain;
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
