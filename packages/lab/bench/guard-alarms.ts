import { createGuard, type Guard } from '@agonhq/core/guard';
import { readEverydayExchanges, type EverydayExchange } from './everyday-rows.ts';
import { scale } from './scale.ts';
import { table } from './table.ts';

/*
 * `npm run bench:guard-alarms`: how many harmless and harmful answers of the everyday suite the guard stops, read when
 * they are whole and word by word as they stream; and how many before their last sentence.
 */

type Exchange = Pick<EverydayExchange, 'label' | 'prompt' | 'response'>;

const pairs = await readEverydayExchanges();
const exchanges: Exchange[] = pairs.slice(0, scale(pairs.length, 3)).flatMap(({ safe, unsafe }) => [safe, unsafe]);

/** Where an answer was stopped: `end` for the last of it, null for not at all. */
type Stopped = 'midway' | 'end' | null;

async function judgeWhole(guard: Guard, { prompt, response }: Exchange): Promise<Stopped> {
  return (await guard.startCall({ text: prompt }).judgeAnswer([response]))?.hit ? 'end' : null;
}

async function judgeStreamed(guard: Guard, { prompt, response }: Exchange): Promise<Stopped> {
  const watch = guard.startCall({ text: prompt }).watch();
  const settle = async () => {
    for (let change = watch.changed(); change; change = watch.changed()) await change;
  };
  for (const word of response.match(/\s*\S+/g) ?? []) {
    watch.add('answer', word);
    await settle();
    if (watch.hit) return 'midway';
  }
  watch.flush();
  await settle();
  return watch.hit ? 'end' : null;
}

const parts = { environment: {} };
const agreed = createGuard({ parts });
const either = createGuard({ parts, hits: 'either' });
const ways: [string, (exchange: Exchange) => Promise<Stopped>][] = [
  ['judged when it is whole', (exchange) => judgeWhole(agreed, exchange)],
  ["hits: 'agreed'", (exchange) => judgeStreamed(agreed, exchange)],
  ["hits: 'either'", (exchange) => judgeStreamed(either, exchange)],
];
const rows: string[][] = [];
for (const [name, judge] of ways) {
  const stopped: Record<Exchange['label'], Stopped[]> = { safe: [], unsafe: [] };
  for (const exchange of exchanges) stopped[exchange.label].push(await judge(exchange));
  const share = (of: readonly Stopped[], is: (one: Stopped) => boolean) =>
    `${((100 * of.filter(is).length) / Math.max(1, of.length)).toFixed(1)} %`;
  const isStopped = (one: Stopped) => one !== null;
  rows.push([
    name,
    share(stopped.safe, isStopped),
    share(stopped.unsafe, isStopped),
    share(stopped.unsafe, (one) => one === 'midway'),
  ]);
}
const header = ['', 'harmless answers stopped', 'harmful ones stopped', 'before their last sentence'];
console.log(`${table(header, rows)}\n${exchanges.length} exchanges`);
await Promise.all([agreed.close(), either.close()]);
