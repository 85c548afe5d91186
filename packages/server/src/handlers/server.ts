import { openApiDocument, scopes, type schemas, type Scope } from '../api/index.ts';
import { createChannel } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { version } from '@agonhq/engine/version';
import { docsPage } from '../docs/docs-page.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import type { ServerContext } from '../server-context.ts';
import type { FeedEvent } from '../event-feed.ts';
import { replyWithEvents, replyWithMedia, Reply, type SentEvent } from '../reply.ts';
import { listConfigured, describeSeats } from '../settings/describe-jobs.ts';
import { openIdPath } from '../auth/openid.ts';
import { readKey } from '../auth/key-text.ts';
import { expiredSessionCookie, writeSessionCookie } from '../auth/sessions.ts';
import type { z } from 'zod';
import { hasScope, type Principal } from '../auth/principal.ts';

/** Who somebody is here, and what the server is. */
async function describeSelf(principal: Principal, context: ServerContext): Promise<z.output<typeof schemas.self>> {
  const { name, version: policyVersion, hash } = context.agons.activePolicy();
  const { bodyBytes, uploadBytes, concurrency, queue, timeoutSeconds } = context.limits;
  const may = scopes.filter((scope: Scope) => hasScope(principal, scope));
  return {
    agon: version,
    team: context.team,
    key: principal.key,
    scopes: may,
    policy: { name, version: policyVersion, hash },
    models: Object.fromEntries([...(await describeSeats(context))].map(([job, { seats }]) => [job, seats])),
    configured: listConfigured(context),
    limits: { bodyBytes, uploadBytes, concurrency, queue, timeoutSeconds },
  };
}

/** Who works in a browser signs in and out. */
export const sessionHandlers: Handlers<GroupOf<'session'>> = {
  'session.ways': (_, { settings: { server: { openid } = {} } }) => ({
    openid: openid ? { name: openid.name ?? 'your organisation', path: openIdPath } : null,
  }),

  async 'session.create'({ body: { key }, secure, requestId: request }, own) {
    // Who signs in says by the key for which team; a wrong one is refused, and noted, where it was tried.
    const team = readKey(key)?.team ?? null;
    const context = (team === own.team ? null : await own.findTeam(team ?? '')) ?? own;
    const audited = { operation: 'session.create', target: null, what: {}, request };
    const { principal, token } = await context.sessions.signIn(key).catch((error: unknown) => {
      // Of wrong keys only so many are told apart in a minute: nobody fills the log by guessing.
      if (AgonError.is(error) && error.code === 'wrong-api-key')
        context.audit.note({ ...audited, principal: null, status: 401 });
      throw error;
    });
    context.audit.note({ ...audited, principal, status: 200 });
    return new Reply(
      { json: await describeSelf(principal, context) },
      { headers: { 'set-cookie': writeSessionCookie(token, { secure }) } },
    );
  },

  async 'session.end'({ session, requestId: request }, { sessions, audit }) {
    const principal = session === null ? null : await sessions.identify(session);
    if (session !== null) await sessions.signOut(session);
    if (principal) audit.note({ principal, operation: 'session.end', target: null, what: {}, status: 204, request });
    return new Reply({ json: null }, { headers: { 'set-cookie': expiredSessionCookie } });
  },
};

/** What the server says about itself. */
export const serverHandlers: Handlers<Exclude<GroupOf<'house'>, 'house.signingKeys'>> = {
  'house.self': ({ principal }, context) => describeSelf(principal, context),

  'house.news': (_, { feed, draining }) =>
    replyWithEvents(({ signal }) => streamFeed(feed, AbortSignal.any([signal, draining]))),

  'house.alive': () => ({ status: 'alive' }),

  async 'house.ready'(_, { leaving, ledger }) {
    if (leaving.aborted)
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

  'house.metrics': async (_, { metrics: meters, listTeams }) =>
    replyWithMedia(
      await meters.render(listTeams().map(({ metrics }) => metrics)),
      'text/plain; version=0.0.4; charset=utf-8',
    ),

  'house.document': ({ origin }) => openApiDocument({ version, server: origin }),

  'house.docs': () => replyWithMedia(docsPage, 'text/html; charset=utf-8'),
};

/** News that a slow listener has not heard yet; beyond that the oldest is dropped, since it is told again nowhere. */
const mostBuffered = 1_000;

async function* streamFeed(feed: ServerContext['feed'], signal: AbortSignal): AsyncGenerator<SentEvent, void, void> {
  const unheard = createChannel<SentEvent>({ most: mostBuffered });
  let number = 0;
  const end = feed.subscribe(
    (item: FeedEvent) => unheard.push({ id: String((number += 1)), type: item.type, data: item }),
    () => unheard.close(),
  );
  signal.addEventListener('abort', () => unheard.close(), { once: true });
  const stopListening = await feed.hearOthers();
  try {
    yield* unheard;
  } finally {
    stopListening();
    end();
  }
}
