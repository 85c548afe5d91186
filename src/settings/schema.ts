import { z } from 'zod';
import { listJobs, ownSettings, type Job } from '../jobs/index.ts';
import { llmSettingsSchema } from '../reasoners/index.ts';

const model = z.string().regex(/^[^\s:]+:\S+$/, 'must name a model as provider:model, for example openai:gpt-4o-mini');

/** One model, or a different one for each seat of a role. */
const models = z.union([model, z.array(model).min(1).max(3)]);

/** What seats fall back to. */
const sharedSeats = {
  /** Every seat that is not named. */
  default: model.optional(),
  /** Every seat that debates, unless it is named. */
  debaters: model.optional(),
};

/** The seats of all jobs; several of one role may be named one by one. */
function seatsSchema(): z.ZodObject {
  const seats = listJobs().flatMap((job) => Object.entries(job.seats));
  return z.strictObject({
    ...sharedSeats,
    ...Object.fromEntries(
      seats.flatMap(([seat, { several }]): [string, z.ZodType][] =>
        several
          ? [
              [seat, models.optional()],
              ...[1, 2, 3].map((n): [string, z.ZodType] => [`${seat}#${n}`, model.optional()]),
            ]
          : [[seat, model.optional()]],
      ),
    ),
    /** Who learns from mistakes; the arbiter's model unless it is named. */
    curator: model.optional(),
  });
}

const learnSchema = z.strictObject({
  /** Learn from mistakes when a batch with ground truth has completed. */
  auto: z.boolean().optional(),
  /** What was learnt waits for a person. */
  review: z.boolean().optional(),
});

const count = z.int().min(1);

const webhookSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }),
  /** What deliveries are signed with. */
  secret: z.string().min(16, 'must have at least 16 characters'),
  events: z
    .array(z.enum(['verdict', 'escalation', 'decision', 'run-ended']))
    .min(1)
    .optional(),
});

const serverSchema = z.strictObject({
  host: z.string().min(1).optional(),
  port: z.int().min(0).max(65_535).optional(),
  /** Whether a key is needed: by default everywhere but on loopback. */
  auth: z.enum(['auto', 'required']).optional(),
  /** Names that the server is reached by, beside its own address: those of a proxy in front of it. */
  allowedHosts: z.array(z.string().min(1)).optional(),
  /** Pages elsewhere that may call it (CORS); none by default. */
  origins: z.array(z.url()).optional(),
  concurrency: count.max(10_000).optional(),
  queue: z.int().min(0).max(100_000).optional(),
  bodyBytes: count.optional(),
  uploadBytes: count.optional(),
  timeoutSeconds: z.number().positive().max(86_400).optional(),
  graceSeconds: z.number().min(0).max(3600).optional(),
  drainSeconds: z.number().min(0).max(3600).optional(),
  /** Requests a minute of one key. */
  ratePerMinute: z.number().positive().optional(),
  streams: count.optional(),
  /**
   * Which decisions of a person another person must confirm: those that contradict the verdict (the default), all, or
   * none.
   */
  secondReview: z.enum(['contradicted', 'always', 'never']).optional(),
  /** What a request may make the server fetch: nothing by default, and never from a private address. */
  fetch: z.strictObject({ images: z.boolean().optional(), webhooks: z.boolean().optional() }).optional(),
  /** Who is told of verdicts; may be a private address, since nobody but you wrote it here. */
  webhooks: z
    .array(webhookSchema)
    .max(20)
    .refine((all) => new Set(all.map(({ url }) => url)).size === all.length, 'must name each URL once')
    .optional(),
});

const commonSettings = {
  /** A policy file; the default policy when absent. */
  policy: z.string().min(1, 'must name a policy file').optional(),
  /** Where cases are kept: a file, or a postgres:// URL; false for nowhere. */
  ledger: z.union([z.literal(false), z.string().min(1, 'must name a file or a postgres:// URL')]).optional(),
  /** Who embeds precedents: the guard model unless an embedding model is named. */
  embedding: model.optional(),
  learn: learnSchema.optional(),
  /** Of `agon serve`. */
  server: serverSchema.optional(),
  /** What `agon calibrate` or the bench wrote for this configuration; false for none. */
  calibration: z.union([z.literal(false), z.string().min(1)]).optional(),
  /** Modules with jobs of your own, beside those that Agon comes with. */
  jobs: z.array(z.string().min(1)).optional(),
  ...llmSettingsSchema.partial().shape,
};

const ownBlocks = z.object(ownSettings).partial();

/** Who sits where: by seat a model, or one for each of several. */
export type SeatSettings = Readonly<Partial<Record<string, string | readonly string[]>>> & {
  readonly default?: string;
};
export type ServerSettings = z.output<typeof serverSchema>;
export type Settings = z.input<z.ZodObject<typeof commonSettings>> &
  z.input<typeof ownBlocks> & { seats?: SeatSettings | undefined };

let built: { jobs: number; schema: z.ZodObject } | null = null;

/** All that a user may set, in agon.config.*, in the environment or by flags: each job has a block of its own. */
export function settingsSchema(): z.ZodObject {
  const jobs = listJobs();
  if (built?.jobs !== jobs.length) {
    const blocks = Object.fromEntries(jobs.map((job) => [job.id, job.settings.optional()]));
    built = {
      jobs: jobs.length,
      schema: z.strictObject({ seats: seatsSchema().optional(), ...blocks, ...commonSettings }),
    };
  }
  return built.schema;
}

/** A job's own block of the settings. */
export function blockOf(settings: Settings, job: Pick<Job, 'id'>): Readonly<Record<string, unknown>> {
  return (settings as Record<string, Readonly<Record<string, unknown>> | undefined>)[job.id] ?? {};
}
