import { createAgon } from '../../src/app/index.ts';
import type { JobAnswer } from '../../src/jobs/index.ts';
import type { Ledger, OpenedCase } from '../../src/ledger/index.ts';
import type { Settings } from '../../src/settings/index.ts';

/** A case that the embedded guard decided alone, as it goes on record. */
export interface GuardCase {
  opened: OpenedCase;
  answer: JobAnswer;
}

const alone: Record<string, Settings> = {
  moderation: {
    seats: { arbiter: 'embedded:guard-2' },
    moderation: { without: ['supporter', 'retrieval', 'debate'], vision: false, ocr: false },
  },
  evaluation: { seats: { judge: 'embedded:guard-2' }, evaluation: { method: 'judge', reference: false } },
};

/** Has the guard judge texts, or exchanges, and keeps what it would put on record. `ledger` itself stays as it is. */
export async function judgeByGuard(
  ledger: Ledger,
  { texts = [], exchanges = [] }: { texts?: readonly string[]; exchanges?: readonly [string, string][] },
): Promise<GuardCase[]> {
  const found: GuardCase[] = [];
  let opened: OpenedCase | undefined;
  const listening: Ledger = {
    ...ledger,
    journal: { find: async () => undefined, insert: async (_, entry) => entry },
    cases: {
      ...ledger.cases,
      openCase: async (one) => void (opened = one),
      closeCase: async (answer) => {
        found.push({ opened: opened!, answer });
        return answer;
      },
    },
  };
  const open = (job: string) => createAgon(alone[job], { environment: {}, jobs: [job], ledger: listening });
  if (texts.length > 0) {
    const agon = await open('moderation');
    for (const text of texts) await agon.moderate({ text });
    await agon.close();
  }
  if (exchanges.length > 0) {
    const agon = await open('evaluation');
    for (const [prompt, response] of exchanges) await agon.evaluate({ prompt, response });
    await agon.close();
  }
  return found;
}
