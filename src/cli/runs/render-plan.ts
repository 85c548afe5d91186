import { constants, type CapacityPlan } from '../../runs/index.ts';
import { formatDuration, formatMoney } from '../terminal/format.ts';
import { sanitize } from '../terminal/style.ts';

/** What a stream of items takes, as Markdown tables: they read well in a terminal and go into documents as they are. */
export function renderPlan(plan: CapacityPlan): string[] {
  const {
    bottlenecks: [first],
  } = plan;
  return [
    ...table(['', 'mean', `peak (${plan.input.peak}×)`], rates(plan)),
    '',
    ...table(['', 'needed'], sums(plan)),
    '',
    ...table(
      ['storage', 'a day', `after ${plan.input.retentionDays} days`],
      [
        ...plan.storage.byTable.map((own) => [own.table, bytes(own.perDay), bytes(own.atRetention)]),
        ['all', bytes(plan.storage.perDay), bytes(plan.storage.atRetention)],
      ],
    ),
    '',
    ...table(
      ['gives way', 'needed now', 'one holds', 'full at', 'then'],
      plan.bottlenecks.map(({ what, need, capacity, unit, fullAt, change }) => [
        what,
        inUnit(need, unit),
        inUnit(capacity, unit),
        `${figure(fullAt)}×`,
        change,
      ]),
      4,
    ),
    '',
    ...table(
      [
        'scale',
        'items a day',
        'PostgreSQL servers',
        'guard cores',
        'debate workers',
        'tokens a minute',
        'a day',
        'stored',
        'gives way there',
      ],
      plan.scales.map(
        ({
          times,
          itemsPerDay,
          servers,
          guardCores,
          debateWorkers,
          tokensPerMinute,
          usdPerDay,
          bytesAtRetention,
          reached,
        }) => [
          `${whole(times)}×`,
          figure(itemsPerDay),
          whole(servers),
          whole(guardCores),
          whole(debateWorkers),
          figure(tokensPerMinute),
          usdPerDay === null ? '–' : `$${figure(usdPerDay)}`,
          bytes(bytesAtRetention),
          reached.map(({ what }) => what).join(', ') || 'nothing new',
        ],
      ),
      8,
    ),
    '',
    `The first bottleneck: ${first!.what}, from ${figure(first!.fullAt * plan.input.itemsPerDay)} items a day on.`,
  ];
}

function rates({ items, debates, calls, tokens, ledgerWrites, queueJobs }: CapacityPlan): string[][] {
  const row = (name: string, { mean, peak }: CapacityPlan['items']) => [name, figure(mean), figure(peak)];
  return [
    row('items a second', items),
    row('debates a second', debates),
    row('calls a second', calls),
    row('tokens a minute', tokens),
    row('ledger writes a second', ledgerWrites),
    row('queue jobs a second', queueJobs),
  ];
}

function sums({ input, guard, debaters, cost, connections, precedentsBytes, backlogBytes }: CapacityPlan): string[][] {
  return [
    [
      'guard cores at the peak',
      `${whole(Math.ceil(guard.cores))} (${figure(guard.coreMsPerItem)} core-ms an item of ${whole(input.textBytes)} ` +
        'bytes)',
    ],
    [
      'debates at once at the peak',
      `${whole(Math.ceil(debaters.atOnce))} (${formatDuration(debaters.secondsPerDebate)} each)`,
    ],
    [
      'debate workers',
      `${whole(debaters.workers)} (${whole(input.concurrency)} debates at once each, ${figure(debaters.cores)} ` +
        'cores in all)',
    ],
    [
      'cost a day',
      cost ? `${formatMoney(cost.perDay)}${input.model ? ` with ${sanitize(input.model)}` : ''}` : 'price unknown',
    ],
    ['cost of 1,000 items', cost ? formatMoney(cost.perThousandItems) : 'price unknown'],
    ['connections to PostgreSQL', whole(connections)],
    ['queue when all stands still', `${bytes(backlogBytes)} an hour`],
    ['precedents in each worker', `${bytes(precedentsBytes)} for ${figure(input.precedents)}`],
  ];
}

function inUnit(value: number, unit: string): string {
  return unit === 'bytes' ? bytes(value) : `${figure(value)}${unit.startsWith('a ') ? ` ${unit}` : ''}`;
}

function table(header: readonly string[], rows: readonly (readonly string[])[], leftFrom = header.length): string[] {
  const cells = [header, ...rows];
  const isLeft = (column: number) => column === 0 || column >= leftFrom;
  const widths = header.map((_, column) => Math.max(3, ...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (isLeft(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join(' | ')} ` +
    '|';
  const rule = `|${widths.map((width, column) => (isLeft(column) ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return [line(header), rule, ...rows.map(line)];
}

const sizes: readonly [number, string][] = [
  [1e15, ' PB'],
  [1e12, ' TB'],
  [1e9, ' GB'],
  [1e6, ' MB'],
  [1e3, ' kB'],
];
const multiples: readonly [number, string][] = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
];

function bytes(value: number): string {
  return scaled(value, sizes) ?? `${whole(value)} B`;
}

/** Three digits that count: `0.42`, `5.3`, `1,157`, `43.7M`. */
function figure(value: number): string {
  if (!Number.isFinite(value)) return '∞';
  if (value >= 1_000) return scaled(value, multiples) ?? whole(value);
  return Number(value.toPrecision(value >= 100 ? 3 : 2)).toString();
}

function scaled(value: number, units: readonly [number, string][]): string | null {
  const unit = units.find(([size]) => value >= size);
  return unit ? `${Number((value / unit[0]).toPrecision(3))}${unit[1]}` : null;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** What plans are made from, with the commands that measure it. */
export function renderConstants(): string[] {
  return table(
    ['made from', 'value', 'measured by'],
    Object.values(constants).map(({ value, unit, what, measuredBy }) => [
      what,
      `${figure(value)} ${unit}`,
      measuredBy === null ? 'assumed' : `\`${measuredBy}\``,
    ]),
    2,
  );
}
