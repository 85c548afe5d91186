import { z } from 'zod';
import type { DeliveryRow } from '@agonhq/ledger';
import type { GroupOf, Handlers } from '../handler.ts';
import type { ListedWebhook } from '../webhooks/webhook-registry.ts';
import { showKey } from '../auth/keys.ts';

/** The keys of the server. Only whoever may do everything comes here, so that nobody grants what they lack. */
export const keyHandlers: Handlers<GroupOf<'keys'>> = {
  'keys.list': async (_, { keys }) => ({ rows: (await keys.list()).map(showKey) }),

  async 'keys.create'({ body: { expiresAt, ...asked } }, { keys }) {
    const { row, key } = await keys.create({
      ...asked,
      ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt) }),
    });
    return { ...showKey(row), key };
  },

  'keys.revoke': async ({ params: { id } }, { keys }) => showKey(await keys.revoke(id)),
};

/** Who is told of verdicts. Secrets are shown when they are made, and never again. */
export const webhookHandlers: Handlers<GroupOf<'webhooks'>> = {
  'webhooks.list': async (_, { webhooks }) => ({ rows: (await webhooks.list()).map(showWebhook) }),

  async 'webhooks.create'({ body }, { webhooks }) {
    const { secret, ...made } = await webhooks.create(body);
    return { ...showWebhook({ ...made, configured: false }), secret };
  },

  async 'webhooks.remove'({ params }, { webhooks }) {
    await webhooks.remove(params.id);
    return null;
  },

  'webhooks.test': async ({ params, signal }, { webhooks }) => showDelivery(await webhooks.test(params.id, signal)),

  'webhooks.retry': async ({ params }, { webhooks }) => showDelivery(await webhooks.retry(params.id, params.delivery)),

  async 'webhooks.deliveries'({ params, query: { state, limit, after } }, { webhooks }) {
    const { rows, next } = await webhooks.deliveries(params.id, {
      limit,
      after: after ?? null,
      ...(state ? { state } : {}),
    });
    return { rows: rows.map(showDelivery), next };
  },
};

function showWebhook({ id, url, events, configured, createdAt, disabledAt, problem }: ListedWebhook) {
  return { id, url, events, configured, createdAt, disabledAt, problem };
}

/** A payload as it was written: of a decision the id of its case, of a verdict more. */
const payloadCase = z.object({
  data: z.object({ case: z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]) }),
});

function showDelivery({ payload, ...row }: DeliveryRow) {
  return { ...row, case: payloadCase.safeParse(payload).data?.data.case ?? null };
}
