import { openApiDocument, scopes, type Scope } from '../../api/index.ts';
import type { Job } from '../../agon.ts';
import { channel } from '../../debate/index.ts';
import { AgonError } from '../../errors.ts';
import { version } from '../../version.ts';
import { mayDo } from '../auth/principal.ts';
import { docsPage, docsPolicy } from '../docs/docs-page.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import type { House } from '../house.ts';
import type { NewsItem } from '../news.ts';
import { events, media, Reply, type SentEvent } from '../reply.ts';

const jobs: readonly Job[] = ['moderation', 'evaluation', 'documents'];

/** What the server says about itself. */
export const houseHandlers: Handlers<GroupOf<'house'>> = {
  async 'house.self'({ principal }, house) {
    const { name, version: policyVersion, hash } = house.courts.policy();
    const { bodyBytes, uploadBytes, concurrency, queue, timeoutSeconds } = house.limits;
    const may = scopes.filter((scope: Scope) => mayDo(principal, scope));
    return { agon: version, key: principal.key, scopes: may, policy: { name, version: policyVersion, hash }, models: await modelsOf(house), limits: { bodyBytes, uploadBytes, concurrency, queue, timeoutSeconds } };
  },

  'house.news': (_, { news }) => events(({ signal }) => heardFrom(news, signal)),

  'house.alive': () => ({ status: 'alive' }),

  async 'house.ready'(_, { draining, ledger }) {
    if (draining.aborted) return new Reply({ json: { status: 'draining' } }, { status: 503, headers: { 'retry-after': '5' } });
    try {
      await ledger.runs.list({ limit: 1 });
      return { status: 'ready' };
    } catch (error) {
      if (!AgonError.is(error)) throw error;
      return new Reply({ json: { status: 'unready', detail: error.code } }, { status: 503, headers: { 'retry-after': '5' } });
    }
  },

  'house.metrics': async (_, { meters }) => media(await meters.text(), 'text/plain; version=0.0.4; charset=utf-8'),

  'house.document': ({ origin }) => openApiDocument({ version, server: origin }),

  'house.docs': ({ origin }) => new Reply({ body: pageFor(origin), type: 'text/html; charset=utf-8' }, { headers: { 'content-security-policy': docsPolicy } }),
};

/** By job, who sits where; a job that cannot be done has nobody. */
async function modelsOf({ courts }: House): Promise<Record<string, Record<string, string>>> {
  const named = await Promise.all(jobs.map(async (job) => {
    try {
      const agon = await courts.court(job);
      return [job, { moderation: () => agon.provenance(), evaluation: () => agon.evaluationProvenance(), documents: () => agon.documentsProvenance() }[job]().models] as const;
    } catch (error) {
      if (!AgonError.is(error)) throw error;
      return [job, {}] as const;
    }
  }));
  return Object.fromEntries(named);
}

/** News that a slow listener has not heard yet; beyond that the oldest is dropped, since it is told again nowhere. */
const mostUnheard = 1_000;

async function* heardFrom(news: House['news'], signal: AbortSignal): AsyncGenerator<SentEvent, void, void> {
  const unheard = channel<SentEvent>({ most: mostUnheard });
  let number = 0;
  const end = news.listen((item: NewsItem) => unheard.push({ id: String((number += 1)), type: item.type, data: item }), () => unheard.close());
  signal.addEventListener('abort', () => unheard.close(), { once: true });
  try {
    yield* unheard;
  } finally {
    end();
  }
}

/** The page is long and always the same, but for the address it was asked for at. */
let page: { origin: string; html: string } | null = null;

function pageFor(origin: string): string {
  if (page?.origin !== origin) page = { origin, html: docsPage(openApiDocument({ version, server: origin })) };
  return page.html;
}
