import { createAgon, type Agon } from '../../app/index.ts';
import { AgonError } from '../../errors.ts';
import { serveMcp } from '../../mcp/index.ts';
import { mergeSettings, type Settings } from '../../settings/index.ts';
import { listenForInterrupt } from '../process.ts';
import { formatError, exitCodes } from '../print-error.ts';
import { openAgon } from '../open-agon.ts';
import { readServerSettings, type SettingsFlags } from '../settings-flags.ts';
import { sanitize } from '../terminal/style.ts';
import { toOneLine } from '../../text/index.ts';

export interface McpFlags extends SettingsFlags {
  root?: string;
}

/** `agon mcp`: serves an assistant until it goes away. Returns the exit code. */
export async function mcpCommand({ root, ...flags }: McpFlags): Promise<number> {
  keepStandardOutput();
  const settings = await readServerSettings(flags);
  const agon = await openAgon(settings, {});
  const interrupt = listenForInterrupt();
  const others = new Map<string, Promise<Agon>>();
  try {
    const serving = await serveMcp({
      ledger: agon.ledger,
      root: root ?? null,
      async agon(method) {
        if (method === undefined) return agon;
        let other = others.get(method);
        if (!other)
          others.set(
            method,
            (other = createAgon(mergeSettings({ ...settings, ledger: undefined }, methodSettings(method)), {
              jobs: ['moderation'],
              ...(agon.ledger ? { ledger: agon.ledger } : {}),
            })),
          );
        return other;
      },
      onError: (error) =>
        void process.stderr.write(
          `agon: ${sanitize(AgonError.is(error) ? formatError(error) : toOneLine(error.message).slice(0, 200))}\n`,
        ),
    });
    interrupt.signal.addEventListener('abort', () => void serving.close(), { once: true });
    await serving.ended;
    return exitCodes.judged;
  } finally {
    interrupt.dispose();
    await agon.close();
  }
}

function methodSettings(method: string): Settings {
  return method === 'guard'
    ? { seats: { judge: 'embedded:guard-1' }, moderation: { method: 'judge' } }
    : { moderation: { method: 'debate' } };
}

/** It carries the protocol and nothing else: whatever a library has to say goes to standard error. */
function keepStandardOutput(): void {
  for (const name of ['log', 'info', 'debug'] as const) console[name] = console.error.bind(console);
}
