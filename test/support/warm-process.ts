import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import type { Asked, Answered, Outcome } from './warm-agon.ts';

/* The process behind warm-agon.ts: it runs one command of the built command line after the other. */

const root = path.join(import.meta.dirname, '..', '..');
let commands = 0;
let turn: Promise<unknown> = Promise.resolve();

// With whoever asked, but only where it has not ended by itself until then.
process.on('disconnect', () => void setTimeout(() => process.exit(), 35_000).unref());

process.on('message', (asked: Asked) => {
  turn = turn.then(async () => process.send!({ id: asked.id, outcome: await run(asked) } satisfies Answered));
});

async function run({ args, cwd, environment, stdin }: Asked): Promise<Outcome> {
  const [stdout, stderr] = [heard(), heard()];
  const streams = {
    stdin: Readable.from([stdin], { objectMode: false }),
    stdout: stdout.stream,
    stderr: stderr.stream,
  };
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true });
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(cwd);
  process.argv.splice(1, Infinity, path.join(root, 'bin', 'agon.js'), ...args);
  process.exitCode = 0;
  commands += 1;
  // Under a name of its own the entry runs once more; what it loads is there already.
  await import(`${new URL('../../dist/cli.js', import.meta.url).href}?${commands}`);
  return { code: exitCode(), stdout: stdout.text(), stderr: stderr.text() };
}

/** What the process would end with; its own end is another matter. */
function exitCode(): number {
  const code = Number(process.exitCode);
  process.exitCode = 0;
  return code;
}

function heard(): { stream: Writable; text(): string } {
  const chunks: Uint8Array[] = [];
  const stream = new Writable({
    write(chunk: Uint8Array, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
