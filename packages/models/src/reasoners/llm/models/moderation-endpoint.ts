import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { canonicalJson, hashOf, sha256 } from '@agonhq/engine/hash';
import type { CallResources, Spent } from '../calls/ask-model.ts';
import { askQuestion, callWith, type NotAnswered } from '../calls/ask-once.ts';
import { maskOfText, tellPersonal, type Personal } from '../calls/mask-request.ts';
import type { Model } from '../providers/model.ts';
import { postJson } from '../providers/post-json.ts';
import { makeHeaders } from './classifier.ts';

/** An image as a service takes it. */
export interface ServiceImage {
  mediaType: string;
  data: Uint8Array;
}

/** What is put to a moderation service at once: at least one of both. */
export interface ServiceSubject {
  text?: string;
  image?: ServiceImage;
}

/** What a service found in each category; null when its answer could not be read, and `said` is that answer. */
export type ServiceReply<Found> = (Spent & { outcome: 'answered'; found: Found | null; said: string }) | NotAnswered;

export interface Flags {
  flagged: boolean;
  /** Of each category, in the service's own words. */
  scores: Readonly<Record<string, number>>;
  /** The categories that made it flag. */
  categories: readonly string[];
}

/** OpenAI's moderation endpoint: a classifier without a prompt. */
export interface ModerationEndpoint {
  id: string;
  fingerprint: string;
  /** For the parts of one item, whose budget they share. */
  forItem(): (part: ServiceSubject, options: { signal: AbortSignal }) => Promise<ServiceReply<Flags>>;
}

const resultSchema = z.object({
  flagged: z.boolean(),
  categories: z.record(z.string(), z.boolean().nullable()),
  category_scores: z.record(z.string(), z.number().nullable()),
});
const bodySchema = z.object({ results: z.array(resultSchema).min(1) });

export function createModerationEndpoint(
  model: Model,
  fetch: typeof globalThis.fetch,
  resources: () => CallResources,
): ModerationEndpoint {
  const { provider } = model;
  return {
    id: model.name,
    fingerprint: canonicalJson(model.identity),
    forItem() {
      const own = resources();
      return (given, { signal }) => {
        const { subject, personal } = prepareSubject(model, given);
        return askService(
          {
            model,
            personal,
            url: `${provider.baseUrl}/moderations`,
            headers: makeHeaders(provider),
            body: { model: model.model, input: makeInput(subject) },
            subject,
            billed: 0,
            read: readFlags,
            signal,
          },
          fetch,
          own,
        );
      };
    },
  };
}

/** What a service may get of a subject. An image that is kept from it leaves the text, or nothing to ask about. */
export function prepareSubject(model: Model, given: ServiceSubject): { subject: ServiceSubject; personal(): Personal } {
  const mask = maskOfText();
  const masked = given.text === undefined ? {} : { text: mask.mask(given.text) };
  if (given.image && model.provider.trust.images === 'withhold' && given.text === undefined)
    throw new AgonError(
      'images-withheld',
      `Images are kept from ${model.name}, and there is nothing else to ask it about.`,
      `Set providers.${model.provider.name}.images to send, or leave it out.`,
    );
  const image = given.image && model.provider.trust.images === 'send' ? { image: given.image } : {};
  const text = given.text === undefined ? {} : { text: given.text };
  return { subject: { ...(model.masks ? masked : text), ...image }, personal: () => tellPersonal(model, mask) };
}

function makeInput({ text, image }: ServiceSubject): object[] {
  return [
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...(image === undefined
      ? []
      : [
          {
            type: 'image_url',
            image_url: { url: `data:${image.mediaType};base64,${Buffer.from(image.data).toString('base64')}` },
          },
        ]),
  ];
}

/** Several results are several parts of one subject: the worst stands for it. */
function readFlags(body: unknown): Flags | null {
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success) return null;
  const { results } = parsed.data;
  const scores: Record<string, number> = {};
  for (const { category_scores: own } of results)
    for (const [name, score] of Object.entries(own))
      if (score !== null) scores[name] = Math.max(scores[name] ?? 0, score);
  const categories = results.flatMap((result) =>
    Object.keys(result.categories).filter((name) => result.categories[name] === true),
  );
  return { flagged: results.some(({ flagged }) => flagged), scores, categories: [...new Set(categories)].toSorted() };
}

export interface ServiceCall<Found> {
  model: Model;
  personal(): Personal;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: object;
  subject: ServiceSubject;
  /** In the unit of the model's price. */
  billed: number;
  /** Null for a body that is none of the service's. */
  read(body: unknown): Found | null;
  signal: AbortSignal;
}

const keptSchema = z.object({ body: z.json() });

/** Puts one subject to a service, under the limits, retries, budgets and cache of the pool. */
export async function askService<Found>(
  call: ServiceCall<Found>,
  fetch: typeof globalThis.fetch,
  resources: CallResources,
): Promise<ServiceReply<Found>> {
  const { model, personal, url, headers, body, subject, billed, read, signal } = call;
  const { text = '', image } = subject;
  const content = [{ type: 'text' as const, text }, ...(image ? [{ type: 'file' as const, ...image }] : [])];
  const reply = await askQuestion<{ body: unknown }>(
    {
      model: callWith(model, async ({ signal: within }) => ({
        text: JSON.stringify(await postJson(fetch, url, { headers, body, signal: within })),
        finish: 'stop',
        tokens: { inputTokens: billed, outputTokens: 0, cachedTokens: 0 },
      })),
      request: {
        conversation: () => ({ instructions: '', messages: [{ role: 'user', content }] }),
        maxOutputTokens: 0,
        temperature: undefined,
        roleId: 'moderation-service',
        why: 'screening',
        personal,
      },
      cacheKey: hashOf({
        ...model.identity,
        url: url.replace(/^https?:\/\/[^/]+/, ''),
        text,
        image: image ? sha256(image.data) : null,
      }),
      read: (answer) => ({ body: JSON.parse(answer) }),
      recall: (kept) => keptSchema.safeParse(kept).data,
      signal,
    },
    resources,
  );
  if (reply.outcome === 'failed') return reply;
  const { answer, ...spent } = reply;
  return { ...spent, found: read(answer.body), said: JSON.stringify(answer.body) };
}
