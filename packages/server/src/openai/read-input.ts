import type { z } from 'zod';
import type { schemas } from '../api/index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { decodeImage, type Content } from '@agonhq/judges/moderation';
import type { Outbound } from '../outbound/outbound.ts';
import type { JudgingMethod } from '../agon-pool.ts';

/** A way of judging that is asked for as OpenAI's SDKs ask for a model. */
interface ModerationModel {
  id: 'agon-guard' | 'agon-debate';
  /** How a content is judged; nothing for the one that the settings say. */
  methodFor(content: Content): JudgingMethod | undefined;
}

/**
 * The guard alone reads one message; a debate of the same model also weighs what is written in images beside a text.
 */
const guard: ModerationModel = {
  id: 'agon-guard',
  methodFor: ({ images = [] }) => (images.length === 0 ? 'guard' : 'embedded'),
};
const debate: ModerationModel = { id: 'agon-debate', methodFor: () => undefined };

/** What clients of OpenAI name when they are not told otherwise. */
const openAiNames = [
  'omni-moderation-latest',
  'omni-moderation-2024-09-26',
  'text-moderation-latest',
  'text-moderation-stable',
  'text-moderation-007',
];

export const moderationModels: readonly ModerationModel[] = [guard, debate];

const byName = new Map<string, ModerationModel>([
  ...moderationModels.map((model) => [model.id, model] as const),
  ...openAiNames.map((name) => [name, guard] as const),
]);

/** The model of a name, ours or OpenAI's; the guard where none is named. */
export function findModerationModel(name: string = guard.id): ModerationModel {
  const model = byName.get(name);
  if (!model)
    throw new AgonError(
      'unknown-moderation-model',
      `There is no moderation model ${JSON.stringify(name)}.`,
      `Use ${moderationModels.map(({ id }) => id).join(' or ')}; OpenAI’s own names, omni-moderation-latest among ` +
        `them, stand for ${guard.id}.`,
    );
  return model;
}

/** When the first of them was made, in seconds: OpenAI's list says it of every model. */
const created = Date.UTC(2026, 0, 1) / 1000;

/** A model as OpenAI lists it. */
export function showModel({ id }: ModerationModel) {
  return { id, object: 'model' as const, created, owned_by: 'agon' };
}

type Input = z.output<typeof schemas.openAiModerationRequest>['input'];
type Part = Exclude<Input[number], string>;

const mostImages = 16;

/** What is to be judged: each text by itself, or all parts together. */
export async function readOpenAiInput(input: Input, outbound: Outbound, signal: AbortSignal): Promise<Content[]> {
  if (typeof input === 'string') return [{ text: input.toWellFormed() }];
  const texts = input.filter((each) => typeof each === 'string');
  if (texts.length > 0) return texts.map((text) => ({ text: text.toWellFormed() }));
  return [
    await joinParts(
      input.filter((each) => typeof each !== 'string'),
      outbound,
      signal,
    ),
  ];
}

async function joinParts(parts: readonly Part[], outbound: Outbound, signal: AbortSignal): Promise<Content> {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text.toWellFormed()] : []));
  const urls = parts.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []));
  if (urls.length > mostImages)
    throw new AgonError(
      'bad-request',
      `The input has ${urls.length} images; ${mostImages} are judged together.`,
      'Send the others in a request of their own.',
    );
  const images = await Promise.all(urls.map(async (url) => ({ data: await loadImage(url, outbound, signal) })));
  return { ...(texts.length > 0 ? { text: texts.join('\n') } : {}), ...(images.length > 0 ? { images } : {}) };
}

async function loadImage(url: string, outbound: Outbound, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  if (/^data:[^,]*;base64,/i.test(url)) return decodeImage(url);
  if (/^https?:/i.test(url)) return new Uint8Array((await outbound.fetchImage(url, signal)).bytes);
  throw new AgonError(
    'bad-request',
    'An image_url is neither a data: URL in base64 nor http(s).',
    'Send data:image/png;base64,….',
  );
}

/** Whether there is anything in it. */
export function isEmpty({ text = '', images = [] }: Content): boolean {
  return images.length === 0 && text.trim() === '';
}
