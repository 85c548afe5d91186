import { constants, type CapacityPlan } from '../../runs/index.ts';
import { formatDuration, formatInteger, formatMoney } from '../terminal/format.ts';
import { sanitize } from '../terminal/style.ts';

/** What a stream of items needs, as Markdown tables: they read well in a terminal and can be pasted into documents. */
export function renderPlan(plan: CapacityPlan): string[] {
  const {
    bottlenecks: [first],
  } = plan;
  return [
    ...renderTable(['', 'mean', `peak (${plan.input.peak}×)`], listRates(plan)),
    '',
    ...renderTable(['', 'needed'], listNeeds(plan)),
    '',
    ...renderTable(
      ['storage', 'a day', `after ${plan.input.retentionDays} days`],
      [
        ...plan.storage.byTable.map((own) => [own.table, formatBytes(own.perDay), formatBytes(own.atRetention)]),
        ['all', formatBytes(plan.storage.perDay), formatBytes(plan.storage.atRetention)],
      ],
    ),
    '',
    ...renderTable(
      ['bottleneck', 'needed', 'capacity', 'full at', 'then'],
      plan.bottlenecks.map(({ what, need, capacity, unit, fullAt, change }) => [
        what,
        formatInUnit(need, unit),
        formatInUnit(capacity, unit),
        `${formatFigure(fullAt)}×`,
        change,
      ]),
      4,
    ),
    '',
    ...renderTable(
      [
        'scale',
        'items a day',
        'PostgreSQL servers',
        'guard cores',
        'debate workers',
        'tokens a minute',
        'a day',
        'stored',
        'new bottlenecks',
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
          `${formatInteger(times)}×`,
          formatFigure(itemsPerDay),
          formatInteger(servers),
          formatInteger(guardCores),
          formatInteger(debateWorkers),
          formatFigure(tokensPerMinute),
          usdPerDay === null ? '–' : `$${formatFigure(usdPerDay)}`,
          formatBytes(bytesAtRetention),
          reached.map(({ what }) => what).join(', ') || 'none',
        ],
      ),
      8,
    ),
    '',
    `First bottleneck: ${first!.what}, from ${formatFigure(first!.fullAt * plan.input.itemsPerDay)} items a day.`,
  ];
}

function listRates({ items, debates, calls, tokens, ledgerWrites, queueJobs }: CapacityPlan): string[][] {
  const row = (name: string, { mean, peak }: CapacityPlan['items']) => [name, formatFigure(mean), formatFigure(peak)];
  return [
    row('items a second', items),
    row('debates a second', debates),
    row('calls a second', calls),
    row('tokens a minute', tokens),
    row('ledger writes a second', ledgerWrites),
    row('queue jobs a second', queueJobs),
  ];
}

function listNeeds({
  input,
  guard,
  debaters,
  cost,
  connections,
  precedentsBytes,
  backlogBytes,
}: CapacityPlan): string[][] {
  return [
    [
      'guard cores at peak',
      `${formatInteger(Math.ceil(guard.cores))} (${formatFigure(guard.coreMsPerItem)} core-ms per item of ` +
        `${formatInteger(input.textBytes)} bytes)`,
    ],
    [
      'debates at once at peak',
      `${formatInteger(Math.ceil(debaters.atOnce))} (${formatDuration(debaters.secondsPerDebate)} each)`,
    ],
    [
      'debate workers',
      `${formatInteger(debaters.workers)} (${formatInteger(input.concurrency)} debates at once each, ` +
        `${formatFigure(debaters.cores)} cores in total)`,
    ],
    [
      'cost a day',
      cost ? `${formatMoney(cost.perDay)}${input.model ? ` with ${sanitize(input.model)}` : ''}` : 'price unknown',
    ],
    ['cost of 1,000 items', cost ? formatMoney(cost.perThousandItems) : 'price unknown'],
    ['connections to PostgreSQL', formatInteger(connections)],
    ['queue growth if workers stop', `${formatBytes(backlogBytes)} an hour`],
    ['precedents in each worker', `${formatBytes(precedentsBytes)} for ${formatFigure(input.precedents)}`],
  ];
}

function formatInUnit(value: number, unit: string): string {
  return unit === 'bytes' ? formatBytes(value) : `${formatFigure(value)}${unit.startsWith('a ') ? ` ${unit}` : ''}`;
}

function renderTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  leftFrom = header.length,
): string[] {
  const cells = [header, ...rows];
  const isLeft = (column: number) => column === 0 || column >= leftFrom;
  const widths = header.map((_, column) => Math.max(3, ...cells.map((row) => row[column]!.length)));
  const pad = (cell: string, column: number) =>
    isLeft(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
  const line = (row: readonly string[]) => `| ${row.map((cell, column) => pad(cell, column)).join(' | ')} |`;
  const dashes = widths.map((width, column) => (isLeft(column) ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`));
  const rule = `|${dashes.join('|')}|`;
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

function formatBytes(value: number): string {
  return scaleFigure(value, sizes) ?? `${formatInteger(value)} B`;
}

/** Three digits that count: `0.42`, `5.3`, `1,157`, `43.7M`. */
function formatFigure(value: number): string {
  if (!Number.isFinite(value)) return '∞';
  if (value >= 1_000) return scaleFigure(value, multiples) ?? formatInteger(value);
  return Number(value.toPrecision(value >= 100 ? 3 : 2)).toString();
}

function scaleFigure(value: number, units: readonly [number, string][]): string | null {
  const unit = units.find(([size]) => value >= size);
  return unit ? `${Number((value / unit[0]).toPrecision(3))}${unit[1]}` : null;
}

/** The constants behind plans, with the commands that measure them. */
export function renderConstants(): string[] {
  return renderTable(
    ['made from', 'value', 'measured by'],
    Object.values(constants).map(({ value, unit, what, measuredBy }) => [
      what,
      `${formatFigure(value)} ${unit}`,
      measuredBy === null ? 'assumed' : `\`${measuredBy}\``,
    ]),
    2,
  );
}
