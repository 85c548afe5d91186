import type {
  BenchResult,
  ResultItem,
  BenchItemResult,
  ResultTurn,
  SystemKind,
  SystemResult,
} from '@agonhq/bench/result';
import { failItem } from '@agonhq/bench/build-result';
import { addUsage, noUsage, type Usage } from '@agonhq/engine/debate';
import { randomNumbers } from '@agonhq/engine/statistics';
import { computeFigures } from '@agonhq/bench/figures/compute-figures';
import { walk } from './report-page.ts';
import type { JobPresentation, MeasuredSet } from '@agonhq/bench/report/block';

/** What is made up of one system: how good it is, and what it spends. */
interface MadeUpSystem {
  name: string;
  kind: SystemKind;
  /** How far its scores are from guessing. */
  skill: number;
  models?: readonly string[];
  of?: string;
  rounds?: number;
  trained?: SystemResult['trained'];
  /** Tokens of a call; without them nothing is spent. */
  tokens?: number;
  usdPerToken?: number | null;
  /** The share of items it leaves open, and that fail. */
  undecided?: number;
  failed?: number;
}

interface MadeUpSheet {
  title?: string;
  items?: number;
  seed?: number;
  repeats?: number;
  raters?: boolean;
  classes?: readonly string[];
  positive?: string | null;
  job?: BenchResult['job'];
  systems?: readonly MadeUpSystem[];
}

const systemsOfABench: readonly MadeUpSystem[] = [
  {
    name: 'full',
    kind: 'debate',
    skill: 2.2,
    models: ['openai:larch-1', 'embedded:guard-2'],
    rounds: 3,
    tokens: 900,
    usdPerToken: 4e-7,
    undecided: 0.012,
    failed: 0.004,
  },
  {
    name: 'full-1-round',
    kind: 'debate',
    skill: 1.9,
    models: ['openai:larch-1'],
    rounds: 1,
    tokens: 900,
    usdPerToken: 4e-7,
    undecided: 0.012,
  },
  {
    name: 'without-strict',
    kind: 'ablation',
    skill: 1.7,
    of: 'full',
    models: ['openai:larch-1'],
    rounds: 3,
    tokens: 700,
    usdPerToken: 4e-7,
  },
  {
    name: 'control',
    kind: 'control',
    skill: 2,
    of: 'full',
    models: ['openai:larch-1'],
    tokens: 2600,
    usdPerToken: 4e-7,
  },
  { name: 'guard', kind: 'baseline', skill: 1.6, models: ['embedded:guard-2'], trained: 'in-domain' },
  { name: 'refusal-match', kind: 'baseline', skill: 0.5 },
];

const openings = [
  'A neighbour asks',
  'Somebody on a gardening forum writes',
  'A reader of the weekly letter wonders',
  'A customer of a bakery complains',
  'A pupil asks the library',
  'The choir’s newsletter says',
];
const matters = [
  'how long paint must dry before the second coat',
  'that the bus driver is a turnip and should be told so',
  'whether mushrooms from the park can be eaten',
  'who let the goats into the town hall again',
  'which lock keeps a shed shut in a storm',
  'that nobody from the next village may play in the band',
];
const categories = ['advice', 'insults', 'food', 'animals', 'locks', 'exclusion', 'weather', 'travel'];

/** A result as a bench might give it, of invented items: the same seed gives the same result. */
export function makeUpResult({
  title = 'Made-up letters',
  items: size = 200,
  seed = 7,
  repeats = 1,
  raters = false,
  classes = ['safe', 'unsafe'],
  positive = 'unsafe',
  job = 'moderation',
  systems = systemsOfABench,
}: MadeUpSheet = {}): BenchResult {
  const random = randomNumbers(seed);
  const pick = <Of>(from: readonly Of[]): Of => from[Math.floor(random() * from.length)]!;
  const items = Array.from({ length: size }, (_, index): ResultItem => {
    const gold = pick(classes);
    return {
      line: index + 1,
      id: index % 9 === 8 ? null : `letter-${String(index + 1).padStart(3, '0')}`,
      gold,
      category: pick(categories),
      modality: random() < 0.8 ? 'text' : 'text+image',
      trivial: random() < 0.05,
      raters: raters ? Array.from({ length: 3 }, () => (random() < 0.85 ? gold : pick(classes))) : null,
      model: null,
      excerpt: `${pick(openings)} ${pick(matters)}, and ${pick(openings).toLowerCase()} ${pick(matters)}.`,
    };
  });
  return {
    job,
    data: {
      title,
      file: `${title.toLowerCase().replaceAll(' ', '-')}.jsonl`,
      sha256: String(seed).padStart(64, 'a1b2c3d4'),
      format: 'jsonl',
      published: [
        { system: 'Larch-Guard', metric: 'f1', value: 0.861, source: 'The letters paper, table 2' },
        { system: 'People', metric: 'accuracy', value: 0.94, source: 'The letters paper, section 5' },
      ],
    },
    classes,
    positive,
    parameters: { seed, repeats, invalid: 'error' },
    items,
    systems: systems.map((system) => ({
      name: system.name,
      configuration: `sha256:${system.name}`,
      kind: system.kind,
      models: system.models ?? [],
      of: system.of ?? null,
      rounds: system.rounds ?? null,
      trained: system.trained ?? null,
      repeats: Array.from({ length: repeats }, () =>
        items.map((item) => outcomeOf(item, system, classes, positive, random)),
      ),
      itemsPerSecond: 12.5,
    })),
    notes: ['The calibration belongs to full and is left out of the others.'],
  };
}

function outcomeOf(
  item: ResultItem,
  system: MadeUpSystem,
  classes: readonly string[],
  positive: string | null,
  random: () => number,
): BenchItemResult {
  if (random() < (system.failed ?? 0)) return failItem('no answer came in time');
  const side = item.gold === (positive ?? classes[0]) ? 1 : -1;
  const noise = () => (random() + random() + random() - 1.5) * 3;
  const score = sigmoid(side * system.skill + noise());
  const labelOf = (value: number) =>
    positive === null
      ? value > 0.5 === side > 0
        ? (item.gold ?? classes[0]!)
        : classes[Math.floor(random() * classes.length)]!
      : value > 0.5
        ? positive
        : classes.find((label) => label !== positive)!;
  const opening = sigmoid(Math.log(score / (1 - score)) * 0.7 - side * 0.25 + noise() * 0.35);
  const open = random() < (system.undecided ?? 0);
  const speaks = system.kind === 'debate' || system.kind === 'ablation';
  const turns = speaks ? turnsOf(item, opening, score, system.rounds ?? 1, random) : [];
  const calls = system.tokens === undefined ? 1 : Math.max(1, turns.length);
  const usage: Usage =
    system.tokens === undefined
      ? { ...noUsage, calls }
      : {
          calls,
          inputTokens: Math.round(system.tokens * calls * (0.8 + 0.4 * random())),
          cachedTokens: Math.round(system.tokens * calls * 0.3),
          outputTokens: 90 * calls,
          costUsd:
            system.usdPerToken === null || system.usdPerToken === undefined
              ? null
              : system.tokens * calls * system.usdPerToken,
        };
  const [first, second] = system.models ?? [];
  const guard: Usage = { ...noUsage, calls: 1 };
  return {
    said: open ? 'undecided' : labelOf(score),
    score,
    opening: speaks ? { said: labelOf(opening), score: opening } : null,
    usage: second ? addUsage(usage, guard) : usage,
    byModel: first ? { [first]: usage, ...(second && { [second]: guard }) } : {},
    latencyMs: 40 + 400 * random(),
    rule: speaks ? (score > 0.5 ? 'risk-confirmation' : 'default-safety') : null,
    problem: null,
    turns,
  };
}

const seats = ['strict-debater', 'loose-debater'] as const;

function turnsOf(
  { excerpt }: ResultItem,
  from: number,
  to: number,
  rounds: number,
  random: () => number,
): ResultTurn[] {
  const quote = excerpt.split(', and')[0]!;
  const said = Array.from({ length: rounds }, (_, index) => index + 1).flatMap((round) =>
    seats.map((seat): ResultTurn => {
      const share = rounds === 1 ? 1 : (round - 1) / (rounds - 1);
      const own = clamp(
        from +
          (to - from) * share +
          (seat === 'strict-debater' ? 0.12 : -0.12) * (1 - share / 2) +
          (random() - 0.5) * 0.1,
      );
      return {
        key: `round-${round}/${seat}`,
        seat,
        round,
        score: own,
        label: null,
        statement:
          seat === 'strict-debater'
            ? 'The passage names a person and leaves no doubt what it thinks of them. Whoever reads it in a ' +
              'public place would take it for more than a ' +
              `joke${round > 1 ? ', and the other side has not said why it should be one' : ''}.`
            : 'Nothing in it asks anybody to do anything. It is the tone of a village meeting, and the writer ' +
              `says where it was heard${round > 1 ? '; the strict reading takes half a sentence for the whole' : ''}.`,
        quotes: [
          { text: quote, verified: true },
          ...(random() < 0.08 ? [{ text: 'words that are nowhere in it', verified: false }] : []),
        ],
        fallback: random() < 0.02 ? 'no answer came in time' : null,
      };
    }),
  );
  return [
    ...said,
    {
      key: 'arbiter',
      seat: 'arbiter',
      round: null,
      statement:
        'Both sides quote the same sentence. What decides is whether it is aimed at somebody, and the rule that ' +
        'speaks of that.',
      score: to,
      label: to > 0.5 ? 'unsafe' : 'safe',
      quotes: [{ text: quote, verified: true }],
      fallback: null,
    },
  ];
}

const clamp = (value: number) => Math.min(1, Math.max(0, value));
const sigmoid = (value: number) => 1 / (1 + Math.exp(-value));

/** How the job of a result is presented. */
export function presentJob({ job, positive }: BenchResult): JobPresentation {
  return {
    title: `${job.charAt(0).toUpperCase()}${job.slice(1)}`,
    leadingMetric: positive === null || job === 'evaluation' ? 'accuracy' : 'f1',
    accuracyTitle:
      job === 'moderation' ? null : job === 'evaluation' ? "Overall accuracy (RADAR's Table 1)" : 'Overall accuracy',
  };
}

/** A made-up result with its figures, as reports take it. */
export function measureMadeUp(result: BenchResult): MeasuredSet {
  return { job: presentJob(result), result, figures: computeFigures(result), own: [] };
}

/** The same set with other times. */
export function laterSet(set: MeasuredSet): MeasuredSet {
  return measureMadeUp({
    ...set.result,
    systems: set.result.systems.map((system) => ({
      ...system,
      itemsPerSecond: 99.9,
      repeats: system.repeats.map((outcomes) => outcomes.map((outcome) => ({ ...outcome, latencyMs: 98_765 }))),
    })),
  });
}

/** An empty set, and one with broken lines and a system that failed throughout. */
export function poorSets(): MeasuredSet[] {
  const result = makeUpResult({ items: 3, systems: [{ name: 'broken', kind: 'debate', skill: 1, failed: 1 }] });
  const items = result.items.map((item) => ({ ...item, gold: null, category: null, modality: null }));
  return [measureMadeUp(makeUpResult({ items: 0 })), measureMadeUp({ ...result, items })];
}

const texts = new Set(
  'excerpt id category statement text problem title file source fallback rule seat notes'.split(' '),
);

/** A set in which every text is a megabyte long. */
export function hugeSet(): MeasuredSet {
  const long = 'x\u202e<b>'.repeat(250_000);
  // Many items share one long text, so that the result itself fits into memory.
  return measureMadeUp(walk(makeUpResult({ items: 12 }), (text, key) => (texts.has(key) ? long : text)));
}
