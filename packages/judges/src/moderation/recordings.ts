import type { Observation } from '@agonhq/engine/debate';
import { splitMessageSentences } from '@agonhq/engine/text';
import type { SpeechModel, HeardWords, KitTools, MediaLimits } from '../job/job-kit.ts';
import type { Content, RecordingInput } from './content.ts';
import type { JudgedRecording } from './moderation-answer.ts';
import { openImage, type OpenedImage } from './open-images.ts';

type RecordingTools = Pick<KitTools, 'loadMedia' | 'openMedia' | 'loadImage' | 'inspectImage'>;

/** A recording that was decoded: its sound, and the frames that are looked at like images. */
export interface OpenedRecording {
  recording: JudgedRecording;
  bytes: Uint8Array;
  sound: readonly { start: number; samples: Float32Array }[];
  frames: readonly OpenedImage[];
  /** What was left out, in a sentence each. */
  gaps: readonly string[];
}

/** Decodes every recording before anything is paid for: what cannot be judged is refused here. */
export async function openRecordings(
  { audio = [], video = [] }: Content,
  { tools, media, signal }: { tools: RecordingTools; media: MediaLimits; signal?: AbortSignal },
): Promise<OpenedRecording[]> {
  const given = [
    ...audio.map((input, index) => ({ input, kind: 'audio' as const, id: `audio-${index + 1}` })),
    ...video.map((input, index) => ({ input, kind: 'video' as const, id: `video-${index + 1}` })),
  ];
  const opened: OpenedRecording[] = [];
  // One after the other: two decoders would only share the same cores and twice the memory.
  for (const { input, kind, id } of given) {
    if ('withheld' in input) {
      opened.push(openWithheld(input, { kind, id }));
      continue;
    }
    const bytes = 'file' in input ? await tools.loadMedia(input.file, media.bytes) : input.data;
    const decoded = await tools.openMedia(bytes, nameOf(input, id), kind, media, signal ? { signal } : {});
    const { hash, mediaType, seconds, sound, frames, gaps } = decoded;
    opened.push({
      recording: { id, kind, hash, mediaType, seconds },
      bytes,
      sound,
      frames: await Promise.all(
        frames.map(async ({ second, image }, index) => {
          const frame = await openImage({ data: new Uint8Array(image) }, `${id}/frame-${index + 1}`, tools);
          return { ...frame, image: { ...frame.image, frame: { of: id, second } } };
        }),
      ),
      gaps,
    });
  }
  return opened;
}

/** A film of which nothing is left but what was found in it. */
function openWithheld(
  { withheld, known }: Extract<RecordingInput, { withheld: string }>,
  { kind, id }: Pick<JudgedRecording, 'kind' | 'id'>,
): OpenedRecording {
  const frames = known.map((found, index): OpenedImage => {
    const frame = `${id}/frame-${index + 1}`;
    const image = { id: frame, hash: null, mediaType: null, width: null, height: null, frame: { of: id, second: 0 } };
    return { image, known: [{ ...found, image: frame }] };
  });
  const recording = { id, kind, hash: withheld, mediaType: 'application/octet-stream', seconds: 0 };
  return { recording, bytes: new Uint8Array(), sound: [], frames, gaps: [] };
}

function nameOf(input: Exclude<RecordingInput, { withheld: string }>, id: string): string {
  return 'file' in input ? input.file : (input.name ?? id);
}

/** What is said in a recording, and what of it was not judged. `speechModel`: null where nobody is to listen. */
export async function listenTo(
  { recording: { id }, sound, gaps }: OpenedRecording,
  speechModel: SpeechModel | null,
  options: { signal: AbortSignal },
): Promise<Observation[]> {
  const rest: Observation[] =
    gaps.length === 0 ? [] : [{ id: `${id}/rest`, text: restText, tool: 'placeholder', of: id, note: gaps.join('; ') }];
  if (sound.length === 0) return rest;
  const place = { id: `${id}/transcript`, of: id };
  if (!speechModel)
    return [{ ...place, text: unheardText, tool: 'placeholder', note: 'transcription is off' }, ...rest];
  const words: HeardWords[] = [];
  let language: string | null = null;
  for (const { start, samples } of sound) {
    const heard = await speechModel.hear(samples, options);
    language ??= heard.language;
    words.push(
      ...heard.segments.map((segment) => ({ ...segment, start: start + segment.start, end: start + segment.end })),
    );
  }
  if (words.length === 0)
    return [{ ...place, text: silenceText, tool: 'silence', note: 'music and noises are not judged' }, ...rest];
  const spoken = language === null ? '' : `in ${nameLanguage(language)}, `;
  return [{ ...place, ...joinWords(words), tool: 'transcript', note: `${spoken}heard by ${speechModel.id}` }, ...rest];
}

const restText = 'A part of the recording was not judged.';
const unheardText = 'The sound of the recording was not listened to.';
const silenceText = 'Nobody is heard to speak.';

/** Segments as one text, with the time of each passage in it. */
function joinWords(words: readonly HeardWords[]): Required<Pick<Observation, 'text' | 'moments'>> {
  let text = '';
  const moments = words.flatMap(splitWords).map((segment) => {
    const start = text === '' ? 0 : text.length + 1;
    text += `${text === '' ? '' : ' '}${segment.text}`;
    return { start, end: text.length, from: round(segment.start), to: round(segment.end) };
  });
  return { text, moments };
}

/** The sentences of a segment share its time by their length, so that a quotation is found where it is said. */
function splitWords({ start, end, text }: HeardWords): HeardWords[] {
  const each = (end - start) / text.length;
  return splitMessageSentences(text).flatMap((range) => {
    const sentence = text.slice(range.start, range.end).trim();
    if (sentence === '') return [];
    return [{ start: start + range.start * each, end: start + range.end * each, text: sentence }];
  });
}

function round(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}

function nameLanguage(code: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}
