import { createAgon } from '@agonhq/core/app';
import type { ItemContext } from '@agonhq/engine/items/item-context';
import type { Ledger, UnrecordedCase, UnrecordedOpening } from '@agonhq/ledger';
import type { Settings } from '@agonhq/core/settings';

/** A case that the embedded guard decided alone, as it goes on record. */
export type GuardCase = UnrecordedCase;

const alone: Record<string, Settings> = {
  moderation: {
    seats: { arbiter: 'embedded:guard-2' },
    moderation: { without: ['supporter', 'retrieval', 'debate'], vision: false, ocr: false },
  },
  evaluation: { seats: { judge: 'embedded:guard-2' }, evaluation: { method: 'judge', reference: false } },
};

interface GuardInput {
  texts?: readonly string[];
  /** Texts with what is known about them. */
  posts?: readonly { text: string; context: ItemContext }[];
  exchanges?: readonly [string, string, ItemContext?][];
}

/** Has the guard judge texts, or exchanges, and keeps what it would put on record. `ledger` itself stays as it is. */
export async function judgeByGuard(
  ledger: Ledger,
  { texts = [], posts = [], exchanges = [] }: GuardInput,
): Promise<GuardCase[]> {
  const found: GuardCase[] = [];
  let opened: UnrecordedOpening | undefined;
  const listening: Ledger = {
    ...ledger,
    journal: { find: async () => undefined, insert: async (_, entry) => entry },
    cases: {
      ...ledger.cases,
      openCase: async (one) => void (opened = one),
      closeCase: async (answer, description) => {
        found.push({ opened: opened!, answer, description });
        return answer;
      },
    },
  };
  const open = (job: string) => createAgon(alone[job], { environment: {}, only: [job], ledger: listening });
  if (texts.length + posts.length > 0) {
    const agon = await open('moderation');
    for (const post of [...texts.map((text) => ({ text })), ...posts]) await agon.moderate(post);
    await agon.close();
  }
  if (exchanges.length > 0) {
    const agon = await open('evaluation');
    for (const [prompt, response, context] of exchanges)
      await agon.evaluate({ prompt, response, ...(context ? { context } : {}) });
    await agon.close();
  }
  return found;
}
