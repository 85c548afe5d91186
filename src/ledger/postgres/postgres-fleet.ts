import type { Database } from '../database.ts';
import type { FleetParts } from '../fleet-parts.ts';
import { fleetStore } from './fleet-store.ts';
import { jobHooks } from './job-hooks.ts';
import { jobQueue } from './item-queue.ts';
import { jobQueues } from './job-queues.ts';

/** Workers on any number of machines, whose items wait in pg-boss. */
export function postgresFleet(database: Database): FleetParts {
  const queues = jobQueues(database);
  return {
    fleet: fleetStore(database),
    hooks: jobHooks(queues),
    queue: (options) => jobQueue(database, queues, options),
  };
}
