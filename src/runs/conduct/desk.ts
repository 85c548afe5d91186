import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Journal } from '../../debate/index.ts';
import type { ItemQueue, Ledger } from '../../ledger/index.ts';
import { deskJournal, minded } from './desk-journal.ts';
import { openHands, type Hands } from './hands.ts';

/**
 * Where a process works on items: its name, its queue, what it has in its hands, and a journal that asks first whose
 * they are.
 */
export interface Desk extends AsyncDisposable {
  worker: string;
  queue: ItemQueue;
  hands: Hands;
  journal: Journal;
}

export async function openDesk(
  ledger: Ledger,
  { attempts, onProblem = () => undefined }: { attempts?: number; onProblem?: (error: unknown) => void },
): Promise<Desk> {
  const worker = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const queue = await ledger.openQueue({ worker, ...(attempts === undefined ? {} : { attempts }) });
  const journal = deskJournal(ledger.journal, { certain: () => hands.certain() });
  const hands = openHands(minded(queue, journal), onProblem);
  return {
    worker,
    queue: minded(queue, journal),
    hands,
    journal,
    async [Symbol.asyncDispose]() {
      hands.close();
      await queue.close();
    },
  };
}
