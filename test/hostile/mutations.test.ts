import { describeHostile, type HostileCase } from './corpus.ts';
import { drawFor } from './draws.ts';
import { readOrRefuse } from './refusal.ts';
import { injure, parsers } from './parsers.ts';

/* Good files with an injury: read as far as they go, or refused; nothing else is thrown, and nothing hangs. */

const perParser = 15;
const good = new Map<string, Promise<Uint8Array>>();

const cases = parsers.flatMap((parser) =>
  Array.from({ length: perParser }, (_, index): HostileCase => {
    const name = `${parser.name}, injury ${index + 1}`;
    return {
      name,
      needsFfmpeg: parser.code.includes('packages/models/src/senses/media/'),
      run: async () => {
        if (!good.has(parser.name)) good.set(parser.name, parser.good());
        const bytes = injure(parser, await good.get(parser.name)!, drawFor(name));
        await readOrRefuse(() => parser.read(bytes));
      },
    };
  }),
);

describeHostile('mutations', cases, { every: 18 });
