import { openApiDocument, scopes, type schemas, type Scope } from '../../api/index.ts';
import { createChannel } from '../../debate/index.ts';
import { AgonError } from '../../errors.ts';
import { version } from '../../version.ts';
import { docsPage, docsPolicy } from '../docs/docs-page.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import type { House } from '../server-context.ts';
import { packable, type Packable } from '../http/compression.ts';
import type { NewsItem } from '../event-feed.ts';
import { events, media, Reply, type SentEvent } from '../reply.ts';
import { endedCookie, sessionCookie } from '../auth/sessions.ts';
import type { OwnJobId as Job } from '../../jobs/index.ts';
import { documentsJob } from '../../jobs/documents/index.ts';
import { evaluationJob } from '../../jobs/evaluation/index.ts';
import { moderationJob } from '../../jobs/moderation/index.ts';
import type { z } from 'zod';
import { mayDo, type Principal } from '../auth/principal.ts';

const jobs: readonly Job[] = ['moderation', 'evaluation', 'documents'];

/** Who somebody is here, and what the server is. */
async function selfOf(principal: Principal, house: House): Promise<z.output<typeof schemas.self>> {
  const { name, version: policyVersion, hash } = house.courts.policy();
  const { bodyBytes, uploadBytes, concurrency, queue, timeoutSeconds } = house.limits;
  const may = scopes.filter((scope: Scope) => mayDo(principal, scope));
  return {
    agon: version,
    key: principal.key,
    scopes: may,
    policy: { name, version: policyVersion, hash },
    models: await modelsOf(house),
    limits: { bodyBytes, uploadBytes, concurrency, queue, timeoutSeconds },
  };
}

/** By job, who sits where; a job that cannot be done has nobody. */
async function modelsOf({ courts }: House): Promise<Record<string, Record<string, string>>> {
  const named = await Promise.all(
    jobs.map(async (job) => {
      try {
        const agon = await courts.court(job);
        return [
          job,
          {
            moderation: () => agon.provenanceOf(moderationJob),
            evaluation: () => agon.provenanceOf(evaluationJob),
            documents: () => agon.provenanceOf(documentsJob),
          }[job]().models,
        ] as const;
      } catch (error) {
        if (!AgonError.is(error)) throw error;
        return [job, {}] as const;
      }
    }),
  );
  return Object.fromEntries(named);
}

/** Who works in a browser signs in and out. */
export const sessionHandlers: Handlers<GroupOf<'session'>> = {
  async 'session.create'({ body: { key }, secure }, house) {
    const { principal, token } = await house.sessions.begin(key);
    return new Reply(
      { json: await selfOf(principal, house) },
      { headers: { 'set-cookie': sessionCookie(token, { secure }) } },
    );
  },

  async 'session.end'({ session }, house) {
    if (session !== null) await house.sessions.end(session);
    return new Reply({ json: null }, { headers: { 'set-cookie': endedCookie } });
  },
};

/** What the server says about itself. */
export const houseHandlers: Handlers<GroupOf<'house'>> = {
  'house.self': ({ principal }, house) => selfOf(principal, house),

  'house.news': (_, { news }) => events(({ signal }) => heardFrom(news, signal)),

  'house.alive': () => ({ status: 'alive' }),

  async 'house.ready'(_, { draining, ledger }) {
    if (draining.aborted)
      return new Reply({ json: { status: 'draining' } }, { status: 503, headers: { 'retry-after': '5' } });
    try {
      await ledger.runs.listRuns({ limit: 1 });
      return { status: 'ready' };
    } catch (error) {
      if (!AgonError.is(error)) throw error;
      return new Reply(
        { json: { status: 'unready', detail: error.code } },
        { status: 503, headers: { 'retry-after': '5' } },
      );
    }
  },

  'house.metrics': async (_, { meters }) => media(await meters.text(), 'text/plain; version=0.0.4; charset=utf-8'),

  'house.document': ({ origin }) => openApiDocument({ version, server: origin }),

  'house.docs': ({ origin }) =>
    new Reply(
      { packable: pageFor(origin), type: 'text/html; charset=utf-8' },
      { headers: { 'content-security-policy': docsPolicy } },
    ),
};

/** News that a slow listener has not heard yet; beyond that the oldest is dropped, since it is told again nowhere. */
const mostUnheard = 1_000;

async function* heardFrom(news: House['news'], signal: AbortSignal): AsyncGenerator<SentEvent, void, void> {
  const unheard = createChannel<SentEvent>({ most: mostUnheard });
  let number = 0;
  const end = news.listen(
    (item: NewsItem) => unheard.push({ id: String((number += 1)), type: item.type, data: item }),
    () => unheard.close(),
  );
  signal.addEventListener('abort', () => unheard.close(), { once: true });
  try {
    yield* unheard;
  } finally {
    end();
  }
}

/** The page is long and always the same, but for the address it was asked for at. */
let page: { origin: string; content: Packable } | null = null;

function pageFor(origin: string): Packable {
  if (page?.origin !== origin)
    page = { origin, content: packable(Buffer.from(docsPage(openApiDocument({ version, server: origin })))) };
  return page.content;
}
