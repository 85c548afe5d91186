import { z } from 'zod';
import type { Usage } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { canonicalJson } from '@agonhq/engine/hash';
import type { CallResources } from '../calls/ask-model.ts';
import type { Model } from '../providers/model.ts';
import type { Price } from '../providers/prices.ts';
import { resolveProvider, type Environment, type Provider } from '../providers/resolve-provider.ts';
import type { ProviderSettings } from '../providers/settings.ts';
import { askService, prepareSubject, type ServiceReply, type ServiceSubject } from './moderation-endpoint.ts';

/** How severe Azure finds each of its categories: 0, 2, 4 or 6. */
export type Severities = Readonly<Record<string, number>>;

/** Azure AI Content Safety: a service without a prompt. */
export interface ContentSafety {
  id: string;
  fingerprint: string;
  mostCharacters: number;
  /** For the parts of one item, whose budget they share: a text of at most `mostCharacters`, or an image. */
  forItem(): (part: ServiceSubject, options: { signal: AbortSignal }) => Promise<ServiceReply<Severities>>;
}

export const contentSafetyName = 'azure-content-safety';
export const contentSafetyVersion = '2024-09-01';
/** As the service counts: a character outside the basic plane may be two. */
const mostCharacters = 10_000;

/**
 * The list price is by text records of a thousand characters ($0.38 a thousand) and by images ($0.75 a thousand), which
 * in dollars per million characters is what prices are written in. An image is as dear as this many characters.
 */
export const contentSafetyPrice: Price = { input: 0.38, cachedInput: 0.38, output: 0 };
const charactersPerRecord = 1_000;
const charactersPerImage = 1_974;

const keyVariable = 'AZURE_CONTENT_SAFETY_KEY';
const endpointVariable = 'AZURE_CONTENT_SAFETY_ENDPOINT';

/** Where the service is and its key, from the settings or the environment. */
export function resolveContentSafety(settings: ProviderSettings | undefined, environment: Environment): Provider {
  const baseUrl = settings?.baseUrl ?? (environment[endpointVariable]?.trim() || undefined);
  const apiKey = settings?.apiKey ?? (environment[keyVariable]?.trim() || undefined);
  if (baseUrl === undefined || apiKey === undefined) {
    const missing = [baseUrl === undefined ? endpointVariable : [], apiKey === undefined ? keyVariable : []].flat();
    throw new AgonError(
      'missing-key',
      `Azure Content Safety is not set up: ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing.`,
      `Set ${missing.join(' and ')}, or providers.${contentSafetyName}.baseUrl and .apiKey in the configuration.`,
    );
  }
  const provider = resolveProvider(contentSafetyName, { ...settings, kind: 'openai-compatible', baseUrl, apiKey }, {});
  return { ...provider, variables: { key: keyVariable, baseUrl: endpointVariable } };
}

const bodySchema = z.object({
  categoriesAnalysis: z.array(z.object({ category: z.string(), severity: z.number() })).min(1),
});

export function createContentSafety(
  model: Model,
  fetch: typeof globalThis.fetch,
  resources: () => CallResources,
): ContentSafety {
  const { baseUrl, apiKey, headers: own } = model.provider;
  const headers = { 'Ocp-Apim-Subscription-Key': apiKey!, ...own };
  return {
    id: model.name,
    fingerprint: canonicalJson(model.identity),
    mostCharacters,
    forItem() {
      const own = withoutTokenCount(resources());
      return async (given, { signal }) => {
        const { subject, personal } = prepareSubject(model, given);
        const { text, image } = subject;
        const url = `${baseUrl}/contentsafety/${image ? 'image' : 'text'}:analyze?api-version=${contentSafetyVersion}`;
        const body = {
          ...(image ? { image: { content: Buffer.from(image.data).toString('base64') } } : { text }),
          outputType: 'FourSeverityLevels',
        };
        const billed = image
          ? charactersPerImage
          : Math.ceil((text ?? '').length / charactersPerRecord) * charactersPerRecord;
        const reply = await askService(
          { model, personal, url, headers, body, subject, billed, read: readSeverities, signal },
          fetch,
          own,
        );
        return { ...reply, usage: withoutTokens(reply.usage) };
      };
    },
  };
}

/** Characters were counted for the price; they are no tokens. */
function withoutTokens(usage: Usage): Usage {
  return { ...usage, inputTokens: 0 };
}

function withoutTokenCount(resources: CallResources): CallResources {
  return { ...resources, spend: (usage) => resources.spend(withoutTokens(usage)) };
}

function readSeverities(body: unknown): Severities | null {
  const parsed = bodySchema.safeParse(body);
  return parsed.success
    ? Object.fromEntries(parsed.data.categoriesAnalysis.map(({ category, severity }) => [category, severity]))
    : null;
}
