import type { Mark, Observation } from '@agonhq/engine/debate';
import type { LookedAt } from '../job/job-kit.ts';
import { isPlaceholder } from './case-file.ts';

/** What no embedded image model looks for: an image is never said to be free of it. */
const blindSpot = 'Blood, cigarettes, gestures and symbols they do not see.';

/** The observations of one image: who describes it, what the embedded image models saw piece by piece, and its text. */
export function listSights(of: string, { text, scene }: LookedAt, described: Observation): Observation[] {
  return [
    scene && isPlaceholder(described) ? describeByImageModels(of, scene, described) : described,
    ...(scene ? [listObjects(of, scene), sayNudity(of, scene)] : []),
    ...(text && text.text.trim() !== '' ? [quoteText(of, text)] : []),
  ];
}

type Scene = NonNullable<LookedAt['scene']>;

function describeByImageModels(of: string, { description, weighed }: Scene, { id, note }: Observation): Observation {
  const notes = note === undefined ? blindSpot : `${blindSpot} (${note})`;
  return {
    id,
    text: description,
    tool: 'image-models',
    of,
    note: notes,
    ...(weighed === description ? {} : { weighed }),
  };
}

function listObjects(of: string, { objects }: Scene): Observation {
  const marks: Mark[] = objects.map(({ named, probability, place }) => ({
    label: named,
    sure: round(probability),
    box: place,
  }));
  const clauses = [...new Set(objects.flatMap((object) => object.clauses))];
  return {
    id: `${of}/objects`,
    text: marks.map(({ label, sure }) => `${label} ${sure.toFixed(2)}`).join('; ') || 'nothing that is known by name',
    tool: 'objects',
    of,
    ...(clauses.length > 0 ? { note: `may matter to ${clauses.join(', ')}` } : {}),
    ...(marks.length > 0 ? { marks } : {}),
  };
}

const nudityWords = {
  explicit: 'naked people or a sexual act',
  suggestive: 'people with few clothes',
  none: 'no nudity',
};

function sayNudity(of: string, { nudity: { kind, probability, isDrawing } }: Scene): Observation {
  return {
    id: `${of}/nudity`,
    text: `${nudityWords[kind]} ${probability.toFixed(2)}${isDrawing ? ', drawn' : ''}`,
    tool: 'nudity',
    of,
    ...(kind === 'none' ? {} : { note: 'statues, nursing and medicine can look like it' }),
  };
}

function quoteText(of: string, { text, confidence, lines }: NonNullable<LookedAt['text']>): Observation {
  const marks = lines.map((line) => ({ label: line.text, sure: round(line.confidence), box: line.box }));
  return { id: `${of}/ocr`, text, tool: 'ocr', of, note: `confidence ${Math.round(confidence * 100)} %`, marks };
}

function round(probability: number): number {
  return Math.round(probability * 100) / 100;
}
