import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { readAsset } from '@agonhq/engine/package-folder';
import { locateParts } from '../runtime/parts.ts';

const share = z.number().gt(0).lt(1);

const tableSchema = z.record(
  z.string(),
  z.strictObject({
    named: z.string(),
    clauses: z.array(z.string()),
    words: z.array(z.string()).min(1),
    from: share,
  }),
);

/** A kind of thing that matters to the policy. */
export interface ObjectKind {
  id: string;
  named: string;
  clauses: readonly string[];
  /** Which classes of the network it is made of. */
  classes: readonly number[];
  /** The summed probability from which it is named. */
  from: number;
}

export interface ObjectTable {
  kinds: readonly ObjectKind[];
  /** The word of each class. */
  words: readonly string[];
}

let table: Promise<ObjectTable> | undefined;

/** assets/objects.yaml over the words of the network, read once. */
export function loadObjectTable(): Promise<ObjectTable> {
  table ??= readTable().catch((error: unknown) => {
    table = undefined;
    throw error;
  });
  return table;
}

async function readTable(): Promise<ObjectTable> {
  const { parse } = await import('yaml');
  const words = (await readFile(locateParts()['words']!.path, 'utf8')).trimEnd().split('\n');
  const kinds = Object.entries(tableSchema.parse(parse(readAsset('objects.yaml')))).map(([id, kind]) => ({
    id,
    named: kind.named,
    clauses: kind.clauses,
    from: kind.from,
    classes: kind.words.flatMap((word) => findClasses(word, words)),
  }));
  return { kinds, words };
}

/** A word may stand for two classes, as "maillot" does. */
function findClasses(word: string, words: readonly string[]): number[] {
  const classes = words.flatMap((other, index) => (other === word ? [index] : []));
  if (classes.length === 0)
    throw new AgonError(
      'missing-image-models',
      `assets/objects.yaml names ${word}, which the image models do not know.`,
      'Install agon again.',
    );
  return classes;
}
