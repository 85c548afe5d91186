import { addUsage, noUsage, resultOf } from '@agonhq/engine/debate';
import { resolveBelow } from '@agonhq/engine/items';
import { AgonError } from '@agonhq/engine/agon-error';
import { assertDebateHeard, type Job } from '@agonhq/judges/job';
import { blockOf, type Settings } from '@agonhq/core/settings';
import { quantile } from '@agonhq/engine/statistics';
import { categoryOf, fieldReader, readNotes, type SubjectItem } from '../datasets/labelled-item.ts';
import type { JobBench, BenchJobReport, MeasuredRuns } from '../job-bench.ts';
import { openNamedPredictions, predictedSystem } from '../systems/external/predictions.ts';
import { offerSystems } from '../systems/offered-systems.ts';
import {
  openRepeatAgon,
  openRepeated,
  openSystems,
  unknownSystem,
  type OpenSystemsOptions,
  type SystemVariation,
} from '../systems/open-systems.ts';
import { keptJudgementSchema, readJudgedResults, type KeptJudgement } from '../systems/results.ts';
import { runSystem, type SystemRun } from '../systems/run-system.ts';
import { ablate, listEntries, listSeatAblation, reseatSettings, type SystemEntry } from '../systems/system-entry.ts';
import { condenseAnswer, type MeasuredSystem, type OpenSystem } from '../systems/system.ts';

type Item = SubjectItem<Readonly<Record<string, unknown>>>;
type System = MeasuredSystem<OpenSystem<Readonly<Record<string, unknown>>>>;
type Run = SystemRun<Item, KeptJudgement>;

/**
 * A job from outside on the bench: its own items with a label, its methods as systems, and the figures that every job
 * has (accuracy, F1 by class, confusion).
 */
export function makeGenericBench(job: Job): JobBench<Item, System, KeptJudgement, Run> {
  const { fields, parts, example, readLabel } = job.items;
  const seats = Object.keys(job.seats);
  const together = parts.map((names) => names.join(', ')).join('; or ');
  const hint = `An item has "label" (${job.labels.join(', ')}) and ${together}.`;
  const systemNames = [
    ...job.methods,
    'full',
    'all:provider:model',
    'seat:NAME=provider:model',
    'predictions:NAME=FILE',
  ];
  return {
    job: job.id,
    itemFields: fields,
    ownFields: fields,
    recognizesItem: (row) => parts.some((names) => names.every((name) => Object.hasOwn(row, name))),
    example,
    formats: [],
    readItem(value, { fields: names, labels, by = 'category' }) {
      const field = fieldReader(value, names, hint);
      const known = (text: string) => readLabel(text) ?? job.labels.find((label) => label === text);
      const notes = readNotes(field, { labels, known, hint });
      const given = fields.map((name) => [name, field(name)] as const).filter(([, content]) => content !== undefined);
      return { ...notes, category: categoryOf(field(by)), modality: null, subject: Object.fromEntries(given) };
    },
    readText: (item) => ({ whole: writeSubject(item), response: null, about: '' }),
    describeItem: (item) => ({ excerpt: writeSubject(item), model: null }),
    listClasses: (labels) => [...new Set([...job.labels.filter((label) => labels.has(label)), ...labels])],
    positive: null,
    presentation: { title: job.title, leadingMetric: 'accuracy', accuracyTitle: 'Overall accuracy' },
    async toRunInput({ subject }, { root }) {
      if (AgonError.is(subject)) throw subject;
      return (await job.items.readItem(subject, async (file) => ({ file: resolveBelow(root, file, 'file') }))).input;
    },
    offeredSystems: [
      ...offerSystems(['full']),
      ...job.methods.slice(1).map((name) => ({ name, does: `The job’s own method ${name}.` })),
      ...offerSystems(['all:provider:model', 'seat:NAME=provider:model']),
    ],
    systemNames,
    defaultSystem: 'full',
    ablations: {
      methods: () => ablate(listEntries(job.methods)),
      seats: () => ablate(listSeatAblation('full', seats)),
    },
    openSystems: (given, settings, options) =>
      openSystems(given ?? ['full'], {
        settings,
        unnamed: given === undefined,
        open: (entry, own) => openSystem(job, systemNames, entry, own, options),
      }),
    async openRunner(store, { withTurns }) {
      const schema = withTurns
        ? keptJudgementSchema
        : keptJudgementSchema.transform((kept) => ({ ...kept, turns: [] }));
      const results = await readJudgedResults(schema, store);
      return {
        run: (system, data, options) =>
          runSystem<Item['subject'] & object, Item, KeptJudgement>(system, data, { ...options, results }),
        findRecord: (key) => results.judged.get(key),
      };
    },
    readRecord(record) {
      const read = keptJudgementSchema.safeParse(record);
      return new Map(read.success ? [['', read.data]] : []);
    },
    readOutcome: ({ label, score, opening }) => ({
      said: label,
      score,
      opening: opening && { said: opening.label, score: opening.score },
    }),
    buildReport: (measured) => buildReport(job, measured),
    buildBlocks: () => [],
  };
}

function writeSubject({ subject }: Item): string {
  return Object.values(subject)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(' ');
}

async function openSystem(
  job: Job,
  names: readonly string[],
  entry: SystemEntry,
  settings: Settings,
  { repeats, root, parts }: Pick<OpenSystemsOptions, 'repeats' | 'root' | 'parts'>,
): Promise<System> {
  const { name, system } = entry;
  if (system.startsWith('predictions:')) return openPredicted(job, entry);
  const variation = readSystem(job, names, system, settings);
  return openRepeated(name, variation, repeats, async (repeat) => {
    const { agon, ready, nameDebate } = await openRepeatAgon(job, variation.settings, repeat, parts);
    const { configuration, models } = agon.provenanceOf(job);
    const opened: System['repeats'][number] = {
      ...ready,
      name,
      configuration,
      async judge(subject, signal) {
        const stored = await job.items.readItem(subject, async (file) => ({ file: resolveBelow(root, file, 'file') }));
        const files = { find: async () => undefined, local: true };
        const { input, options } = await job.items.openItem(stored.input, files, { evaluatedModel: null });
        const debate = nameDebate(stored.hash, configuration);
        const answer = await resultOf(agon.judge(job, input, { ...options, signal, ...debate }));
        const { label, rule } = job.summarize(answer);
        const { score = null } = job.debates(answer)[0]?.verdict ?? {};
        const { transcript, usage } = assertDebateHeard({ ...answer, verdict: { rule } });
        return { label, score, probability: null, ...condenseAnswer({ transcript, usage, verdict: { rule } }) };
      },
    };
    return { system: opened, about: { models: Object.values(models) } };
  });
}

function readSystem(job: Job, names: readonly string[], system: string, settings: Settings): SystemVariation {
  if (system === 'full' || system === 'embedded') return { kind: 'debate', settings };
  if (job.methods.includes(system)) {
    const block = { [job.id]: { ...blockOf(settings, job), method: system } };
    return { kind: system === job.methods[0] ? 'debate' : 'baseline', settings: { ...settings, ...block } };
  }
  const [seat = 'default'] = Object.keys(job.seats);
  const elsewhere = reseatSettings(system, { job, debater: seat, judge: seat }, settings);
  if (elsewhere) return { kind: 'debate', settings: elsewhere };
  throw unknownSystem('systems', system, 'system', names);
}

async function openPredicted(job: Job, entry: SystemEntry): Promise<System> {
  const { predictions, about } = await openNamedPredictions(entry, {
    read: (label) => job.items.readLabel(label) ?? job.labels.find((one) => one === label),
    labels: job.labels.join(', '),
  });
  return { ...about, repeats: [predictedSystem(predictions)] };
}

function buildReport(job: Job, { data, runs }: MeasuredRuns<Item, System, Run>): BenchJobReport {
  return {
    version: 1,
    job: job.id,
    data: { file: data.file, sha256: data.sha256, items: data.lines.length },
    systems: runs.map((repeats) => {
      const { system, itemsPerSecond } = repeats[0]!;
      const judged = repeats.flatMap((run) => run.judged);
      const latencies = judged.flatMap(({ latencyMs }) => latencyMs ?? []);
      return {
        name: system.name,
        configuration: system.configuration,
        usage: judged.map(({ usage }) => usage).reduce(addUsage, noUsage),
        latencyMs: { p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) },
        itemsPerSecond,
      };
    }),
  };
}
