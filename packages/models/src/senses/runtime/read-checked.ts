import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** Reads a file of a model; refused unless it is the very file that was shipped or catalogued. */
export async function readChecked({ path, sha256 }: { path: string; sha256: string }): Promise<Buffer> {
  const bytes = await readFile(path);
  if (`sha256:${createHash('sha256').update(bytes).digest('hex')}` !== sha256)
    throw new Error(`${path} is not the file that was shipped: its hash differs`);
  return bytes;
}
