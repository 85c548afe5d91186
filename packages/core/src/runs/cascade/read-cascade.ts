import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';

const share = z.number().min(0).max(1);
const counts = { decided: z.int(), wrong: z.int() };

export const cascadeSchema: z.ZodType<Cascade> = z.object({
  version: z.literal(1),
  job: z.string(),
  guard: z.string(),
  digests: z.record(z.string(), z.string()).optional(),
  safeUpTo: share.lt(0.5).nullable(),
  unsafeFrom: share.min(0.5).nullable(),
  risk: share,
  confidence: share,
  fitted: z.object({
    data: z.string(),
    items: z.int(),
    ...counts,
    bound: share,
    sides: z.object({ safe: z.object(counts), unsafe: z.object(counts) }),
  }),
});

/** The cascade in a file; null when the file holds something else, such as labelled data. */
export async function readCascadeFile(file: string): Promise<Cascade | null> {
  if (!/\.json$/i.test(file)) return null;
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new AgonError(
      'unreadable-cascade',
      `The cascade ${file} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}.`,
      'Fit one with `agon cascade fit --data FILE --out cascade.json`.',
      { cause: error },
    );
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null; // Labelled data may be called so too; whoever reads that says what is wrong with it.
  }
  if (typeof value !== 'object' || value === null || !('guard' in value && 'fitted' in value)) return null;
  const parsed = cascadeSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AgonError(
    'not-a-cascade',
    `${file} is not a cascade: ${issue!.path.join('.') || 'it'}: ${issue!.message}.`,
    'Pass a file that `agon cascade fit --out` wrote.',
  );
}

/** Scores up to `safeUpTo` are safe, those from `unsafeFrom` are unsafe, and what lies between is debated. */
export interface CascadeBounds {
  /** Null: nothing is called safe by the guard alone. */
  safeUpTo: number | null;
  unsafeFrom: number | null;
}

/**
 * What the first tier of a cascade, the embedded guard, may decide alone. The bounds were chosen on labelled data so
 * that, with the stated confidence, at most the stated share of what it decides is wrong.
 */
export interface Cascade extends CascadeBounds {
  version: 1;
  job: string;
  /** Hash of what gave the scores (the first tier's setup): bounds of another guard mean nothing here. */
  guard: string;
  /** The guard by its id, and which files of it. */
  digests?: Record<string, string> | undefined;
  /** At most this share of the decided items is wrong … */
  risk: number;
  /** … with this confidence. */
  confidence: number;
  fitted: {
    /** Hash of the labelled data. */
    data: string;
    items: number;
    decided: number;
    wrong: number;
    /**
     * The exact upper bound of the risk at the level that this band was tested at: `risk` at most, which is what is
     * promised.
     */
    bound: number;
    /** The promise is for both sides together: what each has of the mistakes. */
    sides: Record<'safe' | 'unsafe', { decided: number; wrong: number }>;
  };
}
