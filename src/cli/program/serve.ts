import { Option, type Command } from 'commander';
import type { ServeFlags } from '../commands/serve.ts';
import { collect, withLedger } from '../option-groups.ts';

export function addServe(program: Command): void {
  withLedger(
    program
      .command('serve')
      .summary('serve the console and the HTTP API')
      .description(
        'Serve the console, for people at a browser, and the HTTP API: moderation (also as OpenAI’s SDKs call ' +
          'it), evaluation, documents, cases, runs, precedents and policies. On loopback no key is needed; on any ' +
          'other address there must be one.',
      )
      .option('--open', 'open the console in the default browser')
      .option('--host <address>', 'the address to bind to (default: 127.0.0.1)')
      .option('--port <n>', 'the port (default: 4100; 0 for a free one)')
      .addOption(
        new Option('--auth <when>', 'whether a key is needed: auto for everywhere but on loopback').choices([
          'auto',
          'required',
        ]),
      )
      .option(
        '--allowed-host <name>',
        'a name that a proxy in front of it is reached by; may be given several times',
        collect,
      )
      .option('--origin <url>', 'a page elsewhere that may call it (CORS); may be given several times', collect)
      .option('--concurrency <n>', 'trials held at once (default: 16)')
      .option('--queue <n>', 'how many may wait for a place before 429 is answered (default: 256)')
      .option('--drain-seconds <n>', 'how long what is under way may take after SIGTERM (default: 30)')
      .option('--policy <file>', 'the rulebook, instead of the one that was activated or ships')
      .option('--model <provider:model>', 'the model of every seat that is not named')
      .option('--debaters <provider:model>', 'the model of the debaters of every job')
      .option('--arbiter <provider:model>', "the arbiter's model")
      .option('--seat <seat=provider:model>', 'the model of one seat', collect)
      .option('--config <file>', 'a configuration file (default: agon.config.ts, .js, .json or .yaml here)')
      .addOption(
        new Option('--log <format>', 'what is said about requests, on standard error')
          .choices(['text', 'json', 'none'])
          .default('text'),
      ),
  )
    .addHelpText(
      'after',
      `
Examples:
  agon serve --open
  agon serve --port 8080 --model ollama:llama3.1
  agon keys create --name admin --scope admin && agon serve --host 0.0.0.0 --allowed-host agon.example.com
  AGON_DATABASE_URL=postgres://agon@db/agon agon serve --log json

SIGTERM drains: nothing new is taken, what is under way ends, runs go on with the next server.
Exit codes: 0 stopped, 1 failed, 2 wrong usage.
`,
    )
    .action(async (flags: ServeFlags) => {
      const { serveCommand } = await import('../commands/serve.ts');
      process.exitCode = await serveCommand(flags);
    });
}
