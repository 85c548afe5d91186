/**
 * What the embedded image models see in labelled photos: npm run bench:images [-- --judge] [--every 2]
 * Reads images/index.jsonl below AGON_DATASETS; with --judge each photo is also moderated; with --every only each second.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createAgon } from '@agonhq/core';
import { closeImageModels, inspectImage, loadImage, lookAtImage } from '@agonhq/models/senses';
import { wilsonInterval } from '@agonhq/engine/statistics';
import { scale } from './scale.ts';

const { values: flags } = parseArgs({
  options: { judge: { type: 'boolean' }, every: { type: 'string' }, short: { type: 'boolean' } },
});
const every = Number(flags.every ?? scale(1, 40));
const rowSchema = z.object({ file: z.string(), labels: z.array(z.string()), source: z.string() });
const folder = path.join(process.env['AGON_DATASETS'] ?? '', 'images');
const index = path.join(folder, 'index.jsonl');
if (!existsSync(index)) {
  console.log(
    'AGON_DATASETS names no folder with images/index.jsonl: recall of guns, knives and bottles, and false alarms, ' +
      'were not measured.',
  );
  process.exit(0);
}
const rows = readFileSync(index, 'utf8')
  .trim()
  .split('\n')
  .map((line) => rowSchema.parse(JSON.parse(line)))
  .filter((_, at) => at % every === 0);
const agon = flags.judge ? await createAgon({}) : null;

interface Seen {
  labels: readonly string[];
  source: string;
  kinds: readonly string[];
  nudity: string;
  hasText: boolean;
  verdict: { label: string; risk: number | null } | null;
  milliseconds: number;
}

const seen: Seen[] = [];
for (const { file, labels, source } of rows) {
  const bytes = await loadImage(path.join(folder, file));
  const started = performance.now();
  const { pixels } = await inspectImage(bytes, file);
  const { text, scene } = await lookAtImage(pixels, { text: true, scene: true });
  const milliseconds = performance.now() - started;
  const answer = await agon?.moderate({ images: [{ data: new Uint8Array(bytes) }] });
  seen.push({
    labels,
    source,
    kinds: scene!.objects.flatMap(({ kind }) => kind ?? []),
    nudity: scene!.nudity.kind,
    hasText: text!.text !== '',
    verdict: answer ? { label: answer.verdict.label, risk: answer.verdict.risk } : null,
    milliseconds,
  });
}
await closeImageModels();
await agon?.close();

function share(of: readonly Seen[], holds: (one: Seen) => boolean): string {
  const count = of.filter(holds).length;
  const [low, high] = wilsonInterval(count, of.length)!;
  return `${count} of ${of.length} (${(count / of.length).toFixed(3)}, ${low.toFixed(2)}–${high.toFixed(2)})`;
}

for (const [label, kind] of Object.entries({ gun: 'gun', knife: 'knife', alcohol: 'alcohol' })) {
  const isSeen = ({ kinds }: Seen) => kinds.includes(kind);
  const [having, lacking] = [
    seen.filter(({ labels }) => labels.includes(label)),
    seen.filter(({ labels }) => !labels.includes(label)),
  ];
  const harmless = seen.filter(({ labels }) => labels.length === 0);
  console.log(
    `${label}: named in ${share(having, isSeen)}; where there is none ${share(lacking, isSeen)}; of the harmless ${share(harmless, isSeen)}`,
  );
}
for (const kind of ['explicit', 'suggestive'])
  console.log(`nudity, ${kind}: ${share(seen, ({ nudity }) => nudity === kind)}`);
for (const [source, of] of Map.groupBy(seen, (one) => one.source))
  console.log(
    `${source}: text read in ${share(of, ({ hasText }) => hasText)}, nudity raised in ${share(of, ({ nudity }) => nudity !== 'none')}`,
  );
if (agon)
  for (const [source, of] of Map.groupBy(seen, (one) => (one.labels.length > 0 ? one.labels.join('+') : one.source)))
    console.log(
      `${source}: unsafe ${share(of, ({ verdict }) => verdict?.label === 'unsafe')}, highest risk ` +
        `${Math.max(...of.map(({ verdict }) => verdict?.risk ?? 0)).toFixed(2)}, undecided ` +
        `${of.filter(({ verdict }) => verdict?.label === 'undecided').length}`,
    );
const times = seen.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
console.log(
  `looking took ${Math.round(times[Math.floor(times.length / 2)]!)} ms at the median, ${Math.round(times[Math.floor(times.length * 0.95)]!)} ms at the 95th per cent`,
);
