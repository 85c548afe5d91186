import type { z } from 'zod';
import type { schemas } from '../../api/index.ts';
import { AgonError } from '../../errors.ts';
import type { Content } from '../../jobs/moderation/index.ts';
import { imageBytes } from '../trials/read-content.ts';
import type { Outbound } from '../outbound/outbound.ts';

type Input = z.output<typeof schemas.openAiModerationRequest>['input'];
type Part = Exclude<Input[number], string>;

const mostImages = 16;

/** What is to be judged: each text by itself, or all parts together. */
export async function contentsOf(input: Input, outbound: Outbound, signal: AbortSignal): Promise<Content[]> {
  if (typeof input === 'string') return [{ text: input.toWellFormed() }];
  const texts = input.filter((each) => typeof each === 'string');
  if (texts.length > 0) return texts.map((text) => ({ text: text.toWellFormed() }));
  return [
    await together(
      input.filter((each) => typeof each !== 'string'),
      outbound,
      signal,
    ),
  ];
}

async function together(parts: readonly Part[], outbound: Outbound, signal: AbortSignal): Promise<Content> {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text.toWellFormed()] : []));
  const urls = parts.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []));
  if (urls.length > mostImages)
    throw new AgonError(
      'bad-request',
      `The input has ${urls.length} images; ${mostImages} are judged together.`,
      'Send the others in a request of their own.',
    );
  const images = await Promise.all(urls.map(async (url) => ({ data: await imageAt(url, outbound, signal) })));
  return { ...(texts.length > 0 ? { text: texts.join('\n') } : {}), ...(images.length > 0 ? { images } : {}) };
}

async function imageAt(url: string, outbound: Outbound, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  if (/^data:[^,]*;base64,/i.test(url)) return imageBytes(url);
  if (/^https?:/i.test(url)) return new Uint8Array((await outbound.image(url, signal)).bytes);
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
