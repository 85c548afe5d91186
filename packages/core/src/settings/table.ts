import { z } from 'zod';
import type { documentsSettings } from '@agonhq/documents';
import type { evaluationSettings } from '@agonhq/judges/evaluation';
import type { Job, JobBlock, Jobs } from '@agonhq/judges/job';
import type { moderationSettings } from '@agonhq/judges/moderation';
import { llmSettingsSchema } from '@agonhq/models/reasoners/llm/providers/settings';
import { sensitivitySchema } from '@agonhq/engine/policy/sensitivity';
import { findNotes, setting, unwrapType, type SettingNotes } from '@agonhq/engine/setting';
import { statementSettings } from '@agonhq/ledger/transparency/dsa-terms';
import { serverSettings } from './server-settings.ts';

const model = z.string().regex(/^[^\s:]+:\S+$/, 'must name a model as provider:model, for example openai:gpt-4o-mini');

/** One model, or a different one for each seat of a role. */
const models = z.union([model, z.array(model).min(1).max(3)]);

const anyJudge: SettingNotes['commands'] = ['judge', 'run', 'bench', 'serve', 'mcp'];

/** What seats fall back to. */
const sharedSeats = {
  default: setting(model, {
    help: 'model of every seat that has none of its own',
    values: 'provider:model',
    flag: '--model <provider:model>',
    commands: anyJudge,
    variable: 'AGON_MODEL',
  }),
  debaters: setting(model, {
    help: 'model of every seat that debates and has none of its own',
    values: 'provider:model',
    flag: '--debaters <provider:model>',
    commands: anyJudge,
    variable: 'AGON_DEBATERS',
  }),
};

const commonSettings = {
  policy: setting(z.string().min(1, 'must name a policy file'), {
    help: 'policy to judge by',
    values: 'a file',
    default: 'the policy that Agon ships',
    flag: '--policy <file>',
    commands: anyJudge,
    isPath: true,
  }),
  sensitivity: setting(sensitivitySchema, {
    help: 'how soon the embedded reasoner calls something unsafe; an LLM in its seat has its bar at one half',
    values: 'low, balanced or high',
    default: 'that of the policy, else balanced',
    flag: '--sensitivity <level>',
    flagHelp: 'how soon the embedded reasoner calls something unsafe (default: balanced)',
    commands: anyJudge,
  }),
  firstPass: setting(z.boolean(), {
    help: 'whether a smaller model may pass short, plainly harmless texts in the first tier of a cascade',
    default: 'true',
    variable: 'AGON_FIRST_PASS',
  }),
  calibration: setting(z.union([z.literal(false), z.string().min(1)]), {
    help: 'calibration that was fitted for this configuration; adds probabilities to verdicts',
    values: 'false, or a file that `agon calibrate` wrote',
    default: 'false',
    flag: '--calibration <file>',
    isPath: true,
  }),
  ledger: setting(
    z.union([z.literal(false), z.literal(true), z.string().min(1, 'must name a file or a postgres:// URL')]),
    {
      help:
        "where cases are kept, and what was decided and learnt is found; true for the installation's own, as at the " +
        'command line, false for nowhere',
      values: 'true, false, a file, or a postgres:// URL',
      default: 'true (`ledger.sqlite` in `AGON_HOME`) at the command line, false in programs',
      flag: '--ledger <file>',
      flagHelp: 'ledger: a file or a postgres:// URL (default: ledger.sqlite in AGON_HOME)',
      commands: ['ledger'],
      variable: ['AGON_DATABASE_URL', 'AGON_LEDGER'],
      isPath: true,
    },
  ),
  knownImages: setting(z.array(z.string().min(1)), {
    help: 'lists of known images: one that is on a list is never looked at, kept or sent to a model (docs/care.md)',
    values: 'a list of files (.txt, .csv, .json)',
    default: 'none',
    isPath: true,
  }),
  knownImageDistance: setting(z.int().min(0).max(64), {
    help: 'in how many of 256 bits an image may differ from one of a list',
    default: '31',
  }),
  embedding: setting(model, {
    help: 'model that embeds precedents',
    values: 'provider:model',
    default: 'the guard model',
  }),
  learn: z
    .strictObject({
      auto: setting(z.boolean(), {
        help: 'whether mistakes are learnt from when a batch with labels has completed',
        default: 'false',
      }),
      review: setting(z.boolean(), { help: 'whether what was learnt waits for a person', default: 'false' }),
    })
    .optional(),
  checkpoints: z
    .strictObject({
      minutes: setting(z.int().min(1), {
        help: 'how often a server makes a checkpoint of the ledger, where something new was written',
        default: '60',
        variable: 'AGON_CHECKPOINT_MINUTES',
      }),
      authority: setting(z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }), {
        help: 'time stamping authority (RFC 3161) that confirms when checkpoints were made; it is sent their hash',
        values: 'a URL',
        default: 'none',
        variable: 'AGON_TIME_STAMP_URL',
      }),
    })
    .optional(),
  statements: statementSettings.optional(),
  server: serverSettings.optional(),
  teams: z
    .strictObject({
      limits: setting(z.enum(['shared', 'apart']), {
        help: 'whether the limits of a model hold for all teams of a server together, or for each',
        default: 'shared',
        variable: 'AGON_TEAM_LIMITS',
      }),
      open: setting(z.int().min(1), {
        help: 'teams that a server keeps open at once; idle ones are closed for others',
        default: '50',
      }),
      idleMinutes: setting(z.number().positive(), {
        help: 'minutes after which a server closes a team that nobody asked for',
        default: '30',
      }),
    })
    .optional(),
  jobs: setting(z.array(z.string().min(1)), {
    help: 'modules with jobs of your own',
    values: 'a list of files or packages',
    default: 'none',
    variable: null,
  }),
  ...llmSettingsSchema.partial().shape,
};

/** The blocks of the jobs that Agon comes with, as types: which jobs there are, whoever reads settings says. */
interface OwnBlocks {
  moderation?: z.input<typeof moderationSettings> | undefined;
  evaluation?: z.input<typeof evaluationSettings> | undefined;
  documents?: z.input<typeof documentsSettings> | undefined;
}

/** Who sits where: by seat a model, or one for each of several. */
export type SeatSettings = Readonly<Partial<Record<string, string | readonly string[]>>> & {
  readonly default?: string;
};
export type Settings = z.input<z.ZodObject<typeof commonSettings>> & OwnBlocks & { seats?: SeatSettings | undefined };

/** A job's own block of the settings. */
export function blockOf(settings: Settings, job: Pick<Job, 'id'>): Readonly<Record<string, unknown>> {
  return (settings as Record<string, Readonly<Record<string, unknown>> | undefined>)[job.id] ?? {};
}

/** One thing that a user may set. */
export interface SettingRow {
  /** Its place in a file of settings: `moderation.rounds`. */
  path: string;
  /** The job whose block it is in; null for what concerns all. */
  job: string | null;
  type: z.ZodType;
  notes: SettingNotes;
  /** The environment variables that set it, the strongest first; those it had before come last. */
  variables: readonly string[];
}

interface SettingsTable {
  schema: z.ZodObject;
  rows: readonly SettingRow[];
}

const built = new WeakMap<readonly JobBlock[], SettingsTable>();

/** All that a user may set, in agon.config.*, in the environment or by flags: each job has a block of its own. */
export function settingsSchema(jobs: Jobs): z.ZodObject {
  return buildTable(jobs.listBlocks()).schema;
}

/** The same as a table: one row for each setting. */
export function listSettings(jobs: Jobs): readonly SettingRow[] {
  return buildTable(jobs.listBlocks()).rows;
}

function buildTable(jobs: readonly JobBlock[]): SettingsTable {
  let table = built.get(jobs);
  if (!table) {
    const blocks = Object.fromEntries(jobs.map((job) => [job.id, job.settings.optional()]));
    const schema = z.strictObject({ seats: makeSeatsSchema(jobs).optional(), ...blocks, ...commonSettings });
    built.set(jobs, (table = { schema, rows: listRows(schema, [], new Set(Object.keys(blocks))) }));
  }
  return table;
}

/** The seats of all jobs; several of one role may be named one by one. */
function makeSeatsSchema(jobs: readonly JobBlock[]): z.ZodObject {
  const seats = new Map<string, z.ZodType>();
  for (const job of jobs)
    for (const [name, { several, help }] of Object.entries(job.seats)) {
      if (seats.has(name)) continue;
      const fallbacks = job.seats[name]!.fallsBackTo.map((other) => `\`${other}\``).join(', else ');
      const notes = {
        help: (help ?? `model of the seat ${name}`).replace(/ \(default: .*\)$/, ''),
        default: `that of ${fallbacks}`,
        values: several ? 'a model as provider:model, or up to three of them in a list' : 'provider:model',
      };
      seats.set(name, setting(several ? models : model, notes));
      if (several) for (const number of [1, 2, 3]) seats.set(`${name}#${number}`, model.optional());
    }
  return z.strictObject({
    ...sharedSeats,
    ...Object.fromEntries(seats),
    curator: setting(model, {
      help: 'model that learns from mistakes',
      values: 'provider:model',
      default: 'that of `arbiter`, else `default`',
    }),
  });
}

function listRows(group: z.ZodObject, path: readonly string[], jobs: ReadonlySet<string>): SettingRow[] {
  return Object.entries(group.shape as Record<string, z.ZodType>).flatMap(([name, given]): SettingRow[] => {
    const here = [...path, name];
    const notes = findNested(given);
    const type = unwrapType(given);
    if (notes)
      return [
        {
          path: here.join('.'),
          job: jobs.has(here[0]!) ? here[0]! : null,
          type,
          notes,
          variables: notes.variable === null ? [] : [notes.variable ?? nameVariable(here)].flat(),
        },
      ];
    return type instanceof z.ZodObject ? listRows(type, here, jobs) : [];
  });
}

/** What is said of a type, or of what it makes optional. */
function findNested(type: z.ZodType): SettingNotes | undefined {
  const notes = findNotes(type);
  if (notes) return notes;
  const inner = type instanceof z.ZodOptional ? (type.unwrap() as z.ZodType) : undefined;
  return inner && findNested(inner);
}

/** `moderation.maxCharacters` is AGON_MODERATION_MAX_CHARACTERS; a seat goes by its name alone. */
function nameVariable(path: readonly string[]): string {
  const [group, ...rest] = path;
  const words = (group === 'seats' ? rest : path).join('_').replaceAll(/([a-z])([A-Z])/g, '$1_$2');
  return `AGON_${words.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase()}`;
}

/** The value that a text stands for, by the type of the setting; what it cannot be is left for the schema to refuse. */
export function readTextSetting({ type, notes }: Pick<SettingRow, 'type' | 'notes'>, text: string): unknown {
  if (notes.read) return notes.read(text);
  if (type instanceof z.ZodNumber) return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
  if (type instanceof z.ZodBoolean) return truths[text] ?? text;
  if (type instanceof z.ZodArray) return splitList(text);
  if (!(type instanceof z.ZodUnion)) return text;
  if (isOff(text) && type.options.some((option) => option instanceof z.ZodLiteral)) return false;
  if (!type.options.some((option) => option instanceof z.ZodArray)) return text;
  const values = splitList(text);
  return values.length === 1 ? values[0] : values;
}

const truths: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

function isOff(text: string): boolean {
  return truths[text] === false;
}

function splitList(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}

/** Puts a value at its place: `moderation.rounds`. */
export function placeValue(settings: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop()!;
  const group = names.reduce((outer, name) => (outer[name] ??= {}) as Record<string, unknown>, settings);
  group[last] = value;
}
