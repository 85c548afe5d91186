import type { Fleet } from './fleet.ts';
import type { ItemQueue, QueueOptions } from './item-queue.ts';
import type { QueueHooks } from './queue-hooks.ts';

/** What differs between a file and a server: who works, and where the items wait. */
export interface FleetParts {
  readonly fleet: Fleet | null;
  /** Null where the queue is `run_items` itself. */
  readonly hooks: QueueHooks | null;
  queue(options: QueueOptions): Promise<ItemQueue>;
}
