import { z } from 'zod';
import { setting } from '@agonhq/engine/setting';
import { moderationMethods, removableParts } from './plan.ts';
import { shotsSchema } from './roles/judges.ts';

const observationsSettings = ['auto', 'always', 'never'] as const;
export type ObservationsSetting = (typeof observationsSettings)[number];

/** The block `moderation` of the settings. */
export const moderationSettings = z.strictObject({
  preset: setting(z.enum(['paper']), {
    help: 'models, turn order and rounds of the paper, no early stop',
    flag: '--preset <name>',
    flagHelp: 'paper: models, turn order and rounds of the paper, no early stop',
  }),
  method: setting(z.enum(moderationMethods), {
    help: 'how to judge: by debate, or by a baseline',
    default: 'debate',
    flag: '--method <name>',
  }),
  shots: setting(shotsSchema, {
    help: 'decided cases that the method `judge` shows its judge after the policy',
    values: 'up to 8 `{ text, image_description, label, why }`',
    default: 'none',
    variable: null,
  }),
  rounds: setting(z.int().min(1).max(3), {
    help: 'rounds of debate',
    default: '2',
    flag: '--rounds <n>',
  }),
  turns: setting(z.enum(['together', 'alternate']), {
    help: 'whether the debaters speak at once, or hear each other in a round',
    default: 'together',
    flag: '--turns <order>',
    flagHelp: 'together or alternate',
  }),
  earlyStop: setting(z.boolean(), {
    help: 'whether a debate ends when the sides agree',
    default: 'true; false with the preset',
    flag: '--no-early-stop',
    flagHelp: 'debate all rounds, even when the sides agree',
  }),
  without: setting(z.array(z.enum(removableParts)), {
    help: 'parts of the debate to leave out',
    default: 'none',
    flag: '--without <parts>',
    flagHelp: `leave out parts: ${removableParts.join(', ')}`,
  }),
  precedents: setting(z.int().min(1).max(50), {
    help: 'precedents that the supporter is shown',
    default: '3; 30 for the embedded supporter',
  }),
  vision: setting(z.boolean(), {
    help: 'whether a model describes images',
    default: 'true',
    flag: '--no-vision',
    flagHelp: 'do not ask a model to describe images',
  }),
  ocr: setting(z.boolean(), {
    help: 'whether text in images is read',
    default: 'true',
    flag: '--no-ocr',
    flagHelp: 'do not read text in images',
  }),
  observations: setting(z.enum(observationsSettings), {
    help: 'when the embedded image models say what they see in images: auto is where no model describes them',
    default: 'auto',
    flag: '--observations <when>',
    flagHelp: 'what the embedded image models see in images: auto (where no model describes them), always, never',
  }),
  transcription: setting(z.string().regex(/^(whisper|whisper-tiny|none|[^\s:]+:\S+)$/), {
    help: 'who writes down what is said in recordings: a part (`agon add whisper`), or a model of a provider',
    values: 'whisper, whisper-tiny, provider:model, or none',
    default: 'whisper, or whisper-tiny where only that was added',
    flag: '--transcription <model>',
    flagHelp: 'who writes down what is said in recordings: whisper, whisper-tiny, provider:model, or none',
  }),
  ffmpeg: setting(z.string().min(1), {
    help: 'ffmpeg, which decodes recordings',
    values: 'a program on the PATH, or its file',
    default: 'ffmpeg',
    flag: '--ffmpeg <file>',
  }),
  mediaSeconds: setting(z.number().min(1).max(86_400), {
    help: 'longest recording that is judged whole, in seconds',
    default: '900',
  }),
  longMedia: setting(z.enum(['refuse', 'sample']), {
    help: 'what becomes of a longer recording; one that is sampled is never safe without a person’s look',
    default: 'refuse',
    flag: '--long-media <what>',
    flagHelp: 'what becomes of a recording over moderation.mediaSeconds: refuse or sample',
  }),
  mediaMegabytes: setting(z.number().positive().max(2000), { help: 'largest recording, in megabytes', default: '100' }),
  frames: setting(z.int().min(1).max(200), {
    help: 'frames of a film that are looked at, at most',
    default: '24',
    flag: '--frames <n>',
  }),
  frameSeconds: setting(z.number().min(0.1).max(3600), {
    help: 'how many seconds lie between frames where no scene begins',
    default: '5',
  }),
  context: setting(z.array(z.string().min(1).max(60)), {
    help: 'members of an item’s context that debaters see; they cannot quote it',
    values: 'a list, like `author, channel`',
    default: 'none',
    flag: '--show-context <members>',
    flagHelp: 'members of the context that debaters see: author, thread, channel, … (default: none)',
  }),
  maxCharacters: setting(z.int().min(1), {
    help: 'longest content',
    default: '200,000; 5,000,000 when every seat is embedded',
  }),
});

export type ModerationSettings = z.output<typeof moderationSettings>;
