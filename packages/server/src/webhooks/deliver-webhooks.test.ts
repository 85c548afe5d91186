import { expect, test } from 'vitest';
import type { DeliveryOutcome, DeliveryRow, WebhookStore } from '@agonhq/ledger';
import type { Outbound } from '../outbound/outbound.ts';
import { openDeliveryLoop } from './deliver-webhooks.ts';
import type { Receiver, WebhookRegistry } from './webhook-registry.ts';

test('what was taken and not sent when the server closes is put back as if it had not been taken', async () => {
  const receiver: Receiver = { id: 'w', url: 'https://a.example', events: new Set(), secret: 's', trusted: true };
  const taken = Promise.withResolvers<readonly Partial<DeliveryRow>[]>();
  const settled: DeliveryOutcome[] = [];
  const store = {
    takeDueDeliveries: () => taken.promise,
    settleDeliveries: async (outcomes: readonly DeliveryOutcome[]) => void settled.push(...outcomes),
  };
  const loop = openDeliveryLoop({
    store: store as unknown as WebhookStore,
    registry: { active: () => [receiver] } as unknown as WebhookRegistry,
    outbound: {} as Outbound,
    log: () => undefined,
  });
  const closed = loop.close();
  taken.resolve([{ id: 'd', webhook: 'w', payload: {}, state: 'waiting', attempts: 3 }]);
  await closed;
  expect(settled).toMatchObject([{ id: 'd', state: 'waiting', attempts: 2, error: null }]);
});
