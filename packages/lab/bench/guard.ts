import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { streamText, wrapLanguageModel, type LanguageModel } from 'ai';
import { setTimeout as pause } from 'node:timers/promises';
import { createGuard, renderGuardStats } from '@agonhq/core/guard';
import { guardMiddleware } from '@agonhq/core/integrations/ai';
import { quantile } from '@agonhq/engine/statistics';
import { deltas, startFakeProvider } from '@agonhq/test/fake-provider/index.ts';
import { isShort, scale } from './scale.ts';
import { table, whole } from './table.ts';

/*
 * `npm run bench:guard`: how much later the first text of a streamed answer comes with the guard of `@agonhq/agon/ai`, by the
 * length of the prompt. The provider is on this machine and says its first word at once, or after 300 ms as hosted
 * models do. Calls without and with the guard come in turn, and the difference is the median of pairs.
 */

const lengths = isShort ? [20, 1_000] : [20, 200, 1_000, 4_000];
const delays = isShort ? [300] : [0, 300];
/** Pairs of calls: fewer of long prompts, whose judging takes far longer than what disturbs it. */
const countRounds = (length: number) => (length < 1_000 ? scale(15, 1) : scale(5, 1));
const sentence = 'The museum opens at nine in the morning, and every visitor gets a map at the door. ';
const answer = Array.from({ length: 4 }, () => sentence.split(/(?<= )/)).flat();

const provider = await startFakeProvider();
let delay = 0;
provider.script = () => deltas(speak());

async function* speak() {
  if (delay > 0) await pause(delay);
  for (const content of answer) {
    yield { content };
    await pause(2);
  }
}

const settings = { parts: { environment: {} } };
const guards = {
  hold: createGuard({ ...settings, mode: 'hold' }),
  passing: createGuard({ ...settings, mode: 'pass-and-stop' }),
};
const bare = createOpenAICompatible({ name: 'fake', baseURL: `${provider.url}/v1` })('some-model');
const guarded = (guard: typeof guards.hold) => wrapLanguageModel({ model: bare, middleware: guardMiddleware(guard) });
const models = { bare, hold: guarded(guards.hold), passing: guarded(guards.passing) };

let asked = 0;
/** A prompt that no other call has. */
function makePrompt(length: number): string {
  asked += 1;
  return `Nr ${asked} `.concat(sentence.repeat(Math.ceil(length / sentence.length))).slice(0, length);
}

interface Timed {
  firstMs: number;
  lastMs: number;
}

async function time(model: LanguageModel, prompt: string): Promise<Timed> {
  const started = performance.now();
  let firstMs: number | null = null;
  for await (const piece of streamText({ model, prompt, maxRetries: 0 }).textStream)
    if (piece !== '') firstMs ??= performance.now() - started;
  return { firstMs: firstMs ?? NaN, lastMs: performance.now() - started };
}

const median = (values: readonly number[]) => quantile(values, 0.5) ?? NaN;

for (const model of Object.values(models)) await time(model, makePrompt(200));
const rows: (string | number)[][] = [];
for (delay of delays)
  for (const length of lengths) {
    const times: Record<keyof typeof models, Timed[]> = { bare: [], hold: [], passing: [] };
    for (let round = 0; round < countRounds(length); round += 1)
      for (const name of ['bare', 'passing', 'hold'] as const)
        times[name].push(await time(models[name], makePrompt(length)));
    const added = (name: 'hold' | 'passing', what: keyof Timed) =>
      whole(median(times[name].map((one, round) => one[what] - times.bare[round]![what])));
    rows.push([
      `${length.toLocaleString('en')} characters`,
      delay,
      whole(median(times.bare.map(({ firstMs }) => firstMs))),
      added('passing', 'firstMs'),
      added('hold', 'firstMs'),
      added('passing', 'lastMs'),
      added('hold', 'lastMs'),
    ]);
  }
const header = [
  'prompt',
  'provider ms',
  'first text, bare',
  'pass-and-stop +',
  'hold +',
  'whole, pass-and-stop +',
  'whole, hold +',
];
console.log(`${table(header, rows)}\n`);
for (const [name, guard] of Object.entries(guards)) console.log(`${name}\n${renderGuardStats(guard.stats())}\n`);
console.log(`answers of ${answer.join('').length} characters, a word every 2 ms; medians of pairs`);
await Promise.all([...Object.values(guards).map((guard) => guard.close()), provider.close()]);
