import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { Zip, ZipDeflate, strToU8 } from 'fflate';
import { random } from './reports/random.ts';
import { decimals, table, whole } from './table.ts';
import { isShort } from './scale.ts';

/*
 * How long tables of many rows take: `agon analyze` with three claims on orders made up here, as CSV and as XLSX, each
 * in a process of its own with a ledger of its own. `npm run bench:tables [-- --json]`
 */

const sizes = isShort ? [3_000] : [150_000, 1_000_000];
const goals = { rows: 150_000, seconds: 20, peakRssMb: 600 };
const claims = [
  'Total revenue in 2024 rose.',
  'The North region recorded the highest revenue in 2023.',
  'Revenue in 2022 was 13 million.',
];
const header = ['order_id', 'date', 'region', 'product', 'customer', 'units', 'revenue'];

const folder = await mkdtemp(path.join(tmpdir(), 'agon-bench-'));
try {
  const before = loadavg()[0]!;
  const rows = [];
  for (const count of sizes)
    for (const kind of ['csv', 'xlsx'] as const) {
      const file = path.join(folder, `orders-${count}.${kind}`);
      if (kind === 'csv') await writeCsv(file, count);
      else await writeXlsx(file, count);
      rows.push({ kind, count, ...measure(file) });
    }
  if (process.argv.includes('--json')) console.log(JSON.stringify({ goals, load: before, rows }, null, 2));
  else {
    const cells = rows.map(({ kind, count, seconds, cpuSeconds, peakRssMb }) => [
      `${whole(count)} rows, ${kind.toUpperCase()}`,
      decimals(seconds, 1),
      decimals(cpuSeconds, 1),
      whole(peakRssMb),
    ]);
    console.log(table(['three claims on', 'seconds', 'CPU s', 'peak MB'], cells));
    console.log(
      `\nGoal for ${whole(goals.rows)} rows: ${goals.seconds} s and ${goals.peakRssMb} MB. Load ${decimals(before, 1)} to ` +
        `${decimals(loadavg()[0]!, 1)}.`,
    );
  }
} finally {
  await rm(folder, { recursive: true });
}

function measure(file: string): { seconds: number; cpuSeconds: number; peakRssMb: number } {
  const main = path.join(import.meta.dirname, '..', '..', 'cli', 'src', 'main.ts');
  const report = path.join(folder, 'measured.json');
  const watch = path.join(folder, 'measure.cjs');
  writeFileSync(
    watch,
    `process.on('exit', () => {
      const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
      const measured = { cpuSeconds: (userCPUTime + systemCPUTime) / 1e6, peakRssMb: maxRSS / 1024 };
      require('node:fs').writeFileSync(${JSON.stringify(report)}, JSON.stringify(measured));
    });`,
  );
  const factors = claims.flatMap((claim) => ['--factor', claim]);
  const began = performance.now();
  const child = spawnSync(process.execPath, ['--require', watch, main, 'analyze', file, ...factors, '-q'], {
    encoding: 'utf8',
    env: { ...process.env, AGON_HOME: path.join(folder, path.basename(file, path.extname(file)) + path.extname(file)) },
  });
  if (child.status !== 0) throw new Error(child.stderr);
  return { seconds: (performance.now() - began) / 1000, ...readMeasured(report) };
}

function readMeasured(report: string): { cpuSeconds: number; peakRssMb: number } {
  return JSON.parse(readFileSync(report, 'utf8')) as {
    cpuSeconds: number;
    peakRssMb: number;
  };
}

function* listOrders(count: number): Generator<(string | number)[]> {
  const chance = random(7);
  const pick = (names: string) => chance.pick(names.split(' '));
  for (let number = 1; number <= count; number += 1) {
    const units = chance.integer(1, 20);
    const date = `${chance.integer(2022, 2024)}-${pick('01 02 03 04 05 06 07 08 09 10 11 12')}-15`;
    yield [
      `ORD-${100_000 + number}`,
      date,
      pick('North South East West Central'),
      pick('Widget Gadget Gizmo Sprocket Cog Lever Pulley'),
      `Customer ${chance.integer(1, 5000)}`,
      units,
      (units * chance.integer(1000, 5000)) / 100,
    ];
  }
}

async function writeCsv(file: string, count: number): Promise<void> {
  const lines = [header.join(',')];
  for (const order of listOrders(count)) lines.push(order.join(','));
  await writeFile(file, `${lines.join('\n')}\n`);
}

async function writeXlsx(file: string, count: number): Promise<void> {
  const out = createWriteStream(file);
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    out.write(piece);
  });
  const add = (name: string): ZipDeflate => {
    const entry = new ZipDeflate(name, { level: 1 });
    zip.add(entry);
    return entry;
  };
  const whole = (name: string, text: string): void => add(name).push(strToU8(text), true);
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml';
  whole('[Content_Types].xml', `<Types><Override PartName="/xl/workbook.xml" ContentType="${type}"/></Types>`);
  whole('xl/workbook.xml', '<workbook><sheets><sheet name="Orders" sheetId="1" r:id="r1"/></sheets></workbook>');
  const target = '<Relationship Id="r1" Target="worksheets/sheet1.xml"/>';
  whole('xl/_rels/workbook.xml.rels', `<Relationships>${target}</Relationships>`);
  const sheet = add('xl/worksheets/sheet1.xml');
  sheet.push(strToU8('<worksheet><sheetData>'));
  let rows = [writeRow(header, 1)];
  let number = 1;
  for (const order of listOrders(count)) {
    number += 1;
    rows.push(writeRow(order, number));
    if (rows.length < 2000) continue;
    sheet.push(strToU8(rows.join('')));
    rows = [];
    if (out.writableNeedDrain) await once(out, 'drain');
  }
  sheet.push(strToU8(`${rows.join('')}</sheetData></worksheet>`), true);
  zip.end();
  await new Promise<void>((resolve) => out.end(resolve));
}

function writeRow(values: readonly (string | number)[], row: number): string {
  const cells = values.map((value, column) => {
    const at = `${String.fromCharCode(65 + column)}${row}`;
    return typeof value === 'number'
      ? `<c r="${at}"><v>${value}</v></c>`
      : `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
  });
  return `<row r="${row}">${cells.join('')}</row>`;
}
