import {
  describesImage,
  isGlimpse,
  isObservation,
  isSilence,
  isTranscript,
  listsSights,
  type CaseFile,
  type Observation,
  layOutPrompt,
  type Prompt,
  type Question,
} from '@agonhq/engine/debate';
import type { Source } from '@agonhq/engine/evidence';
import type { JudgedImage, Modality } from './moderation-answer.ts';
import { panelRules, renderBrief, renderCase } from './roles/supporter.ts';

/** All that the debaters of a moderation case may see. */
export interface ModerationCaseFile extends CaseFile {
  modality: Modality;
  /** Frames of films among them. */
  images: readonly JudgedImage[];
}

/** What a seat is asked about: the case file, and what it is judged by. */
export interface ModerationCase extends ModerationCaseFile {
  /** The rulebook as it stands in prompts. */
  policy: string;
  /** Decided cases as a judge on its own is shown them; empty without any. */
  examples: string;
  /** What is known about the content, as far as debaters may see it: not to be quoted. */
  context?: string;
}

/** The neutral text that stands for an image nobody could describe. Nothing can be quoted from it. */
export const placeholderText = 'An image is attached that could not be described.';

export function isPlaceholder(source: Source | Observation): source is Observation {
  return isObservation(source) && source.tool === 'placeholder';
}

/** Whether the embedded image models saw it: not what they read, which are the image's own words. */
export function isSeenByImageModels(source: Source | Observation): boolean {
  return listsSights(source) || isGlimpse(source);
}

/** Whether nothing can be quoted from a source: it only says that something was not seen or heard. */
export function saysNothing(source: Source | Observation): boolean {
  return isPlaceholder(source) || isSilence(source);
}

/** Whether nothing of the case is known: no text, of no image a description or any writing, of no recording a word. */
export function isUnseen({ images, sources }: Pick<ModerationCaseFile, 'images' | 'sources'>): boolean {
  if (sources.some(({ id }) => id === 'text')) return false;
  const ofImages = new Set(images.map(({ id }) => id));
  const drawn = sources.filter(
    (source) => isObservation(source) && (ofImages.has(source.of) || /^(?:audio|video)-\d+$/.test(source.of)),
  );
  return drawn.length > 0 && drawn.every(saysNothing);
}

/** What the debaters read: words, what images show, or both. */
export function readModality({ images, sources }: Pick<ModerationCaseFile, 'images' | 'sources'>): Modality {
  const hasWords = sources.some((source) => source.id === 'text' || isTranscript(source) || isSilence(source));
  if (images.length === 0) return 'text';
  return hasWords ? 'text+image' : 'image';
}

/** What stands for the case: its own text and what its images show, not what tools found hidden in them. */
export function listOwnSources({ sources }: CaseFile): (Source | Observation)[] {
  const own = sources.filter((source) => !isObservation(source) || describesImage(source) || isTranscript(source));
  return own.length > 0 ? own : sources.filter((source) => !saysNothing(source));
}

/** A question to a seat that judges: rules, examples, case and brief first, then what was said, the task last. */
export function layOutCase(question: Question<ModerationCase>, { said, task }: { said: string; task: string }): Prompt {
  const brief = renderBrief(question.transcript, question.fence);
  const caseFile = brief === '' ? renderCase(question) : `${renderCase(question)}\n${brief}`;
  return layOutPrompt(question, { rules: writeRules(question.caseFile), caseFile, said, task });
}

/** The same in every case, so that providers cache it across debates. */
function writeRules({ policy, examples }: ModerationCase): string {
  const rules =
    `${panelRules}\n` +
    'Copy quotes letter by letter. Name clauses by id. Scores: risk from 0 (harmless) to 1 (extreme). Statements: at ' +
    `most 60 words.\n\nPolicy:\n${policy}`;
  return examples === '' ? rules : `${rules}\n\n${examples}`;
}
