import { z } from 'zod';
import { documentMethods } from '../jobs/documents/index.ts';
import { evaluationMethods, mostShots } from '../jobs/evaluation/index.ts';
import { moderationMethods, removableParts, shotsSchema } from '../jobs/moderation/index.ts';
import { llmSettingsSchema } from '../reasoners/index.ts';

const model = z.string().regex(/^[^\s:]+:\S+$/, 'must name a model as provider:model, for example openai:gpt-4o-mini');

/** One model, or a different one for each seat of a role. */
const models = z.union([model, z.array(model).min(1).max(3)]);

const seatsSchema = z.strictObject({
  /** Every seat that is not named. */
  default: model.optional(),
  /**
   * Strict, loose and the supporter of moderation, auditor and detector of evaluation, factor agent and both sides of
   * documents, unless they are named.
   */
  debaters: model.optional(),
  preprocessor: model.optional(),
  supporter: model.optional(),
  'strict-debater': model.optional(),
  'loose-debater': model.optional(),
  arbiter: model.optional(),
  auditor: models.optional(),
  'auditor#1': model.optional(),
  'auditor#2': model.optional(),
  'auditor#3': model.optional(),
  detector: models.optional(),
  'detector#1': model.optional(),
  'detector#2': model.optional(),
  'detector#3': model.optional(),
  critic: model.optional(),
  judge: model.optional(),
  'factor-agent': model.optional(),
  affirmative: model.optional(),
  dissenting: model.optional(),
  synthesizer: model.optional(),
  /** Who learns from mistakes; the arbiter's model unless it is named. */
  curator: model.optional(),
});

const moderationSchema = z.strictObject({
  preset: z.enum(['paper']).optional(),
  method: z.enum(moderationMethods).optional(),
  /** Decided cases that the method `judge` shows its judge after the policy. */
  shots: shotsSchema.optional(),
  rounds: z.int().min(1).max(3).optional(),
  turns: z.enum(['together', 'alternate']).optional(),
  earlyStop: z.boolean().optional(),
  without: z.array(z.enum(removableParts)).optional(),
  /** Top-K of retrieval. */
  precedents: z.int().min(1).max(50).optional(),
  vision: z.boolean().optional(),
  ocr: z.boolean().optional(),
  maxCharacters: z.int().min(1).optional(),
});

const share = z.number().min(0).max(1);

const shot = z.strictObject({
  prompt: z.string().min(1),
  response: z.string().min(1),
  label: z.enum(['safe', 'unsafe']),
  why: z.string().optional(),
});

const evaluationSchema = z.strictObject({
  preset: z.enum(['paper']).optional(),
  method: z.enum(evaluationMethods).optional(),
  /** Decided exchanges that the method `judge` shows its judge after the policy. */
  shots: z.array(shot).max(mostShots).optional(),
  /** T of the paper. */
  rounds: z.int().min(1).max(10).optional(),
  /** N of the paper: seats of the auditor and of the detector each. */
  agents: z.int().min(1).max(3).optional(),
  consensus: z.boolean().optional(),
  /** λ of equation 6. */
  stubbornness: z.strictObject({ auditor: share.optional(), detector: share.optional() }).optional(),
  /** In nats: the divergence of two distributions is ln 2 at most. */
  consensusBound: z.number().min(0).max(1).optional(),
  /** ε of equation 5. */
  smoothing: z.number().gt(0).max(0.1).optional(),
  /** δ of equation 2. */
  delta: z.number().gt(0).optional(),
  /** γ of equation 3. */
  gamma: z.number().gt(0).max(1).optional(),
  /** A file that holds P̂, fitted on labelled data; false for what the critic states. */
  reference: z.union([z.literal(false), z.string().min(1)]).optional(),
  maxCharacters: z.int().min(1).optional(),
});

const documentsSchema = z.strictObject({
  preset: z.enum(['paper']).optional(),
  method: z.enum(documentMethods).optional(),
  /** At most so many claims of a dossier are debated. */
  maxFactors: z.int().min(1).max(200).optional(),
  /** Blocks that a debate sees of the dossier. */
  retrieved: z.int().min(1).max(100).optional(),
  /** Claims debated at once. */
  concurrency: z.int().min(1).max(100).optional(),
  ocr: z.boolean().optional(),
  /** The files themselves are kept beside the analysis, where there is a ledger. */
  keepOriginals: z.boolean().optional(),
  maxCharacters: z.int().min(1).optional(),
  limits: z
    .strictObject({
      bytes: z.int().min(1).optional(),
      pages: z.int().min(1).optional(),
      rows: z.int().min(1).optional(),
    })
    .optional(),
});

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

/** All that a user may set, in agon.config.*, in the environment or by flags. */
export const settingsSchema = z.strictObject({
  seats: seatsSchema.optional(),
  moderation: moderationSchema.optional(),
  evaluation: evaluationSchema.optional(),
  documents: documentsSchema.optional(),
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
  ...llmSettingsSchema.partial().shape,
});

export type Settings = z.input<typeof settingsSchema>;
export type ModerationSettings = z.output<typeof moderationSchema>;
export type EvaluationSettings = z.output<typeof evaluationSchema>;
export type SeatSettings = z.output<typeof seatsSchema>;
export type ServerSettings = z.output<typeof serverSchema>;
export type DocumentsSettings = z.output<typeof documentsSchema>;
