import { z } from 'zod';
import { hashOf } from '../hash.ts';
import type { Ledger } from '../ledger/index.ts';

const entrySchema = z.object({ key: z.string(), text: z.string() });

/** In these words and not in those of the reasoners, whose types would bring the providers' with them. */
interface TextCache {
  read(key: string): Promise<string | null>;
  write(key: string, text: string): Promise<void>;
}

/** Models' answers, kept in the ledger instead of a folder. */
export function openLedgerCache({ cache }: Ledger): TextCache {
  return {
    async read(key) {
      const entry = entrySchema.safeParse(await cache.findAnswer(hashOf(key)));
      return entry.success && entry.data.key === key ? entry.data.text : null;
    },
    write: (key, text) => cache.keepAnswer(hashOf(key), { key, text }),
  };
}
