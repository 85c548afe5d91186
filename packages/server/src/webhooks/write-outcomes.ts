import { setTimeout as pause } from 'node:timers/promises';
import type { DeliveryOutcome, WebhookStore } from '@agonhq/ledger';

/** Puts on record what came of deliveries. */
interface OutcomeWriter {
  /** Resolves when it is on record. */
  note(outcome: DeliveryOutcome): Promise<void>;
}

/** What ends within a moment is written at once. */
const gatherMs = 25;

export function openOutcomeWriter(store: Pick<WebhookStore, 'settleDeliveries'>): OutcomeWriter {
  let noted: DeliveryOutcome[] = [];
  let writing: Promise<void> | null = null;

  async function write(): Promise<void> {
    await pause(gatherMs);
    const outcomes = noted;
    noted = [];
    writing = null;
    await store.settleDeliveries(outcomes);
  }

  return {
    note(outcome) {
      noted.push(outcome);
      return (writing ??= write());
    },
  };
}
