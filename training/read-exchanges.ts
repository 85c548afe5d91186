/**
 * Which responses stand beside the point, as the guard sees them, for fit_replies.py:
 * node training/read-exchanges.ts OUT.jsonl FILE.jsonl …
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { resemblance } from '../src/reasoners/embedded/clauses.ts';
import { guardFolder, openGuard } from '../src/reasoners/embedded/guard.ts';
import { openKeptEmbeddings } from '../src/reasoners/embedded/kept-embeddings.ts';

const [out, ...files] = process.argv.slice(2);
const guard = await openGuard();
const { mean } = await openKeptEmbeddings(join(await guardFolder(), 'shelf.bin'), guard);
const written = createWriteStream(out!);
for (const file of files) {
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { id, prompt, response } = JSON.parse(line) as { id: string; prompt: string; response: string };
    const [asked, said] = await Promise.all([guard.read(prompt), guard.read(response)]);
    written.write(
      `${JSON.stringify({ id, surface: said.logits.content, near: resemblance(asked.embedding, said.embedding, mean), characters: response.length })}\n`,
    );
  }
}
written.end();
