import type { Command } from 'commander';
import type { Agon } from '@agonhq/core/app';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Settings } from '@agonhq/core/settings';
import { toOneLine } from '@agonhq/engine/text';
import { addExamples, setAction, addConfigFlag, addRecordFlags } from '../define-command.ts';
import { formatError } from '../print-error.ts';
import { listenForInterrupt } from '../process.ts';
import type { SettingsFlags } from '../read-settings.ts';
import { addServiceFlags, addSpendingFlags } from '../settings-flags.ts';
import { sanitize } from '../terminal/style.ts';

interface McpFlags extends SettingsFlags {
  root?: string;
}

/** `agon mcp` */
export function defineMcp(command: Command): void {
  command
    .description(
      'Serve the Model Context Protocol over standard input and output: tools to moderate, evaluate and analyze, ' +
        'and the cases on record. Assistants start this command themselves.',
    )
    .option('--root <folder>', 'let tools read files below this folder by path (default: no files)');
  addServiceFlags(command, 'mcp', 'policy to judge by (default: the policy that Agon ships)').option(
    '--cache <folder>',
    'cache model answers in this folder; "ledger" caches them in the ledger',
  );
  addSpendingFlags(command, { item: 'spend at most this much per call', total: 'spend at most this much in total' });
  addRecordFlags(addConfigFlag(command));
  addExamples(
    command,
    ['agon mcp', 'agon mcp --root reports --model ollama:llama3.1', 'agon mcp --no-ledger'],
    `In the configuration of an assistant, under "mcpServers":
  "agon": { "command": "npx", "args": ["@agonhq/agon", "mcp"] }
Files are read where the arguments go on with "--root", "/home/me/reports".

Tools: moderate, evaluate, analyze; with a ledger, list_cases and show_case.
Resources: agon://policy, agon://cases/{id}, agon://cases/{id}/report.`,
  );
  setAction(command, serveAssistant);
}

async function serveAssistant({ root, ...flags }: McpFlags): Promise<void> {
  const { createAgon, openDocumentReaders, withVerbs } = await import('@agonhq/core/app');
  const { serveMcp } = await import('@agonhq/server/mcp');
  const { mergeSettings } = await import('@agonhq/core/settings');
  const { openAgon } = await import('../open-agon.ts');
  const { readServiceSettings } = await import('../read-settings.ts');
  redirectConsole();
  const service = await readServiceSettings(flags, 'mcp');
  const { settings } = service;
  const readers = openDocumentReaders();
  const agon = withVerbs(await openAgon(service, { readFiles: readers.readFiles }));
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
            (other = createAgon(mergeSettings({ ...settings, ledger: undefined }, readMethod(method)), {
              only: ['moderation'],
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
  } finally {
    interrupt.dispose();
    await agon.close();
    await readers.close();
  }
}

function readMethod(method: string): Settings {
  return method === 'guard'
    ? { seats: { judge: 'embedded:guard-2' }, moderation: { method: 'judge' } }
    : { moderation: { method: 'debate' } };
}

/** Standard output carries the protocol and nothing else: what libraries print goes to standard error. */
function redirectConsole(): void {
  for (const name of ['log', 'info', 'debug'] as const) console[name] = console.error.bind(console);
}
