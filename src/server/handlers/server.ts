import { openApiDocument } from '../../api/index.ts';
import { createChannel } from '../../debate/index.ts';
import { AgonError } from '../../errors.ts';
import { version } from '../../version.ts';
import { docsPage, docsPolicy } from '../docs/docs-page.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import type { House } from '../server-context.ts';
import { packable, type Packable } from '../http/compression.ts';
import type { NewsItem } from '../event-feed.ts';
import { events, media, Reply, type SentEvent } from '../reply.ts';
import { selfOf } from '../self-of.ts';

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
