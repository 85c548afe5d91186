import { describesImage, isObservation, isTranscript, type Precedent, type Question } from '@agonhq/engine/debate';
import type { Brief, Modality, ModerationCaseFile } from '@agonhq/judges/moderation';
import { joinWithAnd } from '@agonhq/engine/text';
import { endSentence, findSpeechAct, quoted } from '../phrase-arguments.ts';
import { describeLikeness, missingWords, sharedWords } from '../phrase-precedents.ts';
import { deliberateOnContent, type ModerationKit } from './deliberation.ts';

/** The supporter: what the case is, in its own words, and what the retrieved precedents have in common with it. */
export async function supporterAnswer(question: Question<ModerationCaseFile>, kit: ModerationKit): Promise<Brief> {
  const { modality, precedents } = await deliberateOnContent(question, kit);
  const { sources } = question.caseFile;
  const text = sources.find((source) => source.id === 'text')?.text;
  const spoken = sources.find(isTranscript)?.text;
  const described = sources.find(describesImage)?.text;
  const own = [text, spoken, described].filter((part) => part !== undefined && part.trim() !== '');
  // Where nobody says what an image shows, it is what stands in it.
  const read = sources.filter((source) => isObservation(source) && source.tool === 'ocr').map((source) => source.text);
  const words = (own.length > 0 ? own : read).join(' ');
  const decoded = sources.filter((source) => isObservation(source) && source.of === 'text');
  const hidden =
    decoded.length > 0
      ? endSentence(` Hidden in it: ${joinWithAnd(decoded.map((source) => quoted(source.text)))}`)
      : '';
  return {
    summary: `${summarize(introduce(modality, text, spoken), words)}${hidden}`,
    cues: precedents.slice(0, 3).map((precedent) => ({ precedent: precedent.id, ...compare(precedent, words) })),
    patterns: findPattern(precedents),
  };
}

function summarize(introduction: string, words: string): string {
  if (words.trim() === '') return `${introduction.replace(/:$/, '')} of which nothing could be read.`;
  return endSentence(`${introduction} ${quoted(words.slice(0, 160))}`);
}

function introduce(modality: Modality, text: string | undefined, spoken: string | undefined): string {
  if (text === undefined && spoken !== undefined)
    return modality === 'text' ? 'Somebody says:' : 'A film in which somebody says:';
  if (modality === 'image') return 'An image:';
  if (modality === 'text+image') return 'A text with an image:';
  const act = findSpeechAct(text ?? '');
  return { request: 'Somebody asks:', address: 'Somebody writes to another:', account: 'A text that begins' }[act];
}

function compare(precedent: Precedent, words: string): Omit<Brief['cues'][number], 'precedent'> {
  const { label, summary, cues } = precedent;
  const shared = sharedWords(words, summary).slice(0, 4);
  const missing = missingWords(words, summary).slice(0, 4);
  const common = shared.length > 0 ? `: both speak of ${joinWithAnd(shared)}` : '';
  const counted = cues.length > 0 ? `. What counted: ${cues.join('; ')}` : '';
  return {
    cue: `${describeLikeness(precedent)} and ${label}${common}${counted}`,
    difference:
      missing.length > 0
        ? `nothing is said here of ${joinWithAnd(missing)}`
        : 'the words are the same, so it comes down to intent and target',
  };
}

function findPattern(precedents: readonly Precedent[]): string[] {
  const [first] = precedents;
  if (!first || precedents.length < 2 || precedents.some(({ label }) => label !== first.label)) return [];
  return [`Every one of the ${precedents.length} cases like this was decided ${first.label}.`];
}
