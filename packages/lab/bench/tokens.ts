import { captureCalls } from './capture.ts';
import { benchCases } from './cases/index.ts';
import { cachedTokens, commonPrefix, countTokens, tokensIn, type CountedCall } from './count-tokens.ts';
import { mean } from './statistics.ts';
import { table, whole } from './table.ts';

/* Tokens of full two-round debates with real prompts, counted with o200k in what is really sent and answered. */

const paperTokens = 11_710;
const goalTokens = 7_000;

interface CountedDebate {
  name: string;
  precedents: number;
  calls: CountedCall[];
  input: number;
  output: number;
  cached: number;
}

/** What retrieval brings by default. */
const topK = 3;

const debates: CountedDebate[] = [];
for (const benchCase of benchCases) {
  for (const withPrecedents of [false, true]) {
    const calls = (await captureCalls(benchCase, withPrecedents)).map(countTokens);
    debates.push({
      name: benchCase.name,
      precedents: withPrecedents ? topK : 0,
      calls,
      input: sum(calls, ({ input }) => input),
      output: sum(calls, ({ output }) => output),
      cached: sum(calls, (call) => cachedTokens(call, calls)),
    });
  }
}

const inAll = mean(debates.map(({ input, output }) => input + output));

/** Means over all debates of one call each: who pays for what. */
const seats = [...new Set(debates[0]!.calls.map(seatOf))].map((seat) => {
  const calls = debates.map((debate) => debate.calls.find((call) => seatOf(call) === seat)!);
  return {
    seat,
    input: mean(calls.map((call) => call.input)),
    schema: mean(calls.map(({ schema }) => tokensIn(schema))),
    rules: mean(calls.map(({ body }) => tokensIn(body.messages[0].content))),
    output: mean(calls.map((call) => call.output)),
    cached: mean(debates.map(({ calls: all }, index) => cachedTokens(calls[index]!, all))),
    // The next debate is about something else: what is the same there is the schema and the rules.
    acrossDebates: commonPrefix(calls[0]!.prefix, calls.at(-1)!.prefix),
  };
});

if (process.argv.includes('--json')) {
  const items = debates.map(({ name, precedents, input, output, cached }) => ({
    name,
    precedents,
    input,
    output,
    cached,
  }));
  console.log(JSON.stringify({ paperTokens, goalTokens, inAll, seats, items }, null, 2));
} else print();

function print(): void {
  console.log(
    table(
      ['item', 'precedents', 'input', 'output', 'in all', 'cached within the debate'],
      [
        ...debates.map(({ name, precedents, input, output, cached }) => [
          name,
          precedents,
          whole(input),
          whole(output),
          whole(input + output),
          whole(cached),
        ]),
        [
          'mean',
          '',
          ...(['input', 'output'] as const).map((part) => whole(mean(debates.map((debate) => debate[part])))),
          whole(inAll),
          whole(mean(debates.map(({ cached }) => cached))),
        ],
      ],
    ),
  );
  console.log(`\nThe paper: ${whole(paperTokens)}; the goal: ${whole(goalTokens)}. By seat, means:\n`);
  console.log(
    table(
      [
        'seat',
        'input',
        'of it schema',
        'of it rules and policy',
        'output',
        'cached within the debate',
        'same prefix in the next debate',
      ],
      seats.map(({ seat, input, schema, rules, output, cached, acrossDebates }) => [
        seat,
        whole(input),
        whole(schema),
        whole(rules),
        whole(output),
        whole(cached),
        whole(acrossDebates),
      ]),
    ),
  );
}

function seatOf({ role, round }: CountedCall): string {
  return role === 'strict' || role === 'loose' ? `${role}, round ${round}` : role;
}

function sum(calls: readonly CountedCall[], tokens: (call: CountedCall) => number): number {
  return calls.reduce((total, call) => total + tokens(call), 0);
}
