import { z } from 'zod';
import { AgonError, type ErrorCode, type Hint } from '../agon-error.ts';
import type { Evidence, Source } from '../evidence/index.ts';
import { severities } from '../policy/known-actions.ts';
import { sensitivitySchema } from '../policy/sensitivity.ts';
import { answerVersion, type Answer } from './answer.ts';
import { calibrationSchema } from './calibration.ts';
import type { Observation } from './case-file.ts';
import type { Transcript } from './transcript.ts';

/*
 * The JSON of an answer, as far as every job has it: types, reading and the HTTP API follow from these. Loose, since
 * what a job adds is kept, and sealed with it. `meta` tells clients what holds of every answer that Agon gives; an
 * answer from outside that breaks it is still read, so that `agon verify` can say what is wrong.
 */

const share = z.number().meta({ minimum: 0, maximum: 1 });
const seal = z.string().meta({
  pattern: '^sha256:[0-9a-f]{64}$',
  description: 'Of everything else but how long it took: `agon verify` checks it offline.',
});

const evidenceSchema: z.ZodType<Evidence> = z
  .discriminatedUnion('verified', [
    z.looseObject({
      quote: z.string(),
      source: z.string(),
      start: z.int(),
      end: z.int(),
      verified: z.literal(true),
      moment: z
        .looseObject({ of: z.string(), from: z.number(), to: z.number() })
        .optional()
        .describe('Of a quotation from a recording: when it is said or shown, in seconds from the start.'),
    }),
    z.looseObject({ quote: z.string(), source: z.null(), verified: z.literal(false) }),
  ])
  .meta({
    id: 'Evidence',
    description:
      'A quotation that code has checked: when verified, it stands in its source from start to end (UTF-16 code ' +
      'units).',
  });

/** What calls cost. */
export const usageSchema = z
  .looseObject({
    calls: z.int(),
    inputTokens: z.int(),
    outputTokens: z.int(),
    /** Input tokens that the provider served from its prefix cache; part of `inputTokens`. */
    cachedTokens: z.int(),
    costUsd: z.number().nullable().describe('Null when a price is not known.'),
  })
  .meta({ id: 'Usage' });

/** One answer of one seat. */
export const turnSchema = z.looseObject({
  kind: z.literal('turn'),
  /** Deterministic: `round-2/strict-debater`, `claim-07/rebuttal`. */
  key: z.string(),
  inputHash: z.string(),
  seat: z.string(),
  role: z.string(),
  round: z.int().nullable(),
  statement: z.string(),
  score: z.number().nullable(),
  /** One piece for each quote, in the order of the role's reading. */
  evidence: z.array(evidenceSchema),
  answer: z.unknown(),
  reasoner: z.string(),
  usage: usageSchema,
  latencyMs: z.number(),
  /** Present when nobody answered and the role's fallback stands in. A later release may know more reasons. */
  fallback: z.looseObject({ reason: z.string(), detail: z.string() }).optional(),
  notes: z.array(z.string()).optional(),
  unjudged: z
    .array(z.string())
    .optional()
    .describe('Clauses of the policy that the reasoner cannot judge well enough.'),
  cut: z.string().optional().describe('What was left out of its prompt, to fit the context of a local model.'),
});

/** What a step of code put on record. */
export const computedSchema = z.looseObject({
  kind: z.literal('computed'),
  key: z.string(),
  inputHash: z.string(),
  name: z.string(),
  round: z.int().nullable(),
  value: z.unknown(),
});

/** Why the rounds ended. */
export const stopSchema = z.looseObject({
  kind: z.literal('stop'),
  key: z.string(),
  round: z.int(),
  reason: z.string(),
});

const entrySchema = z
  .discriminatedUnion('kind', [turnSchema, computedSchema, stopSchema])
  .meta({ id: 'Entry', description: 'A turn of a seat, a step of code, or why the rounds ended.' });

const sourceSchema = z
  .looseObject({
    id: z.string(),
    text: z.string(),
    tool: z.string().optional(),
    of: z.string().optional(),
    note: z.string().optional(),
    whole: z.boolean().optional(),
    weighed: z
      .string()
      .optional()
      .describe('What of a description by the embedded image models is weighed, where that is less than all of it.'),
    marks: z
      .array(
        z.looseObject({
          label: z.string(),
          sure: z.number(),
          box: z.looseObject({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
        }),
      )
      .optional()
      .describe('Where in its image it was seen, in parts of the image’s sides.'),
    moments: z
      .array(z.looseObject({ start: z.int(), end: z.int(), from: z.number(), to: z.number() }))
      .optional()
      .describe('When its passages (start to end) are said or shown in the recording, in seconds (from, to).'),
  })
  .refine(({ tool, of }) => (tool === undefined) === (of === undefined), 'says not what it was drawn from, or by what')
  .meta({
    id: 'Source',
    description: 'What the debaters saw: a text of the subject, or what a tool drew from it.',
  });

/** A decided case that was shown. */
export const precedentSchema = z
  .looseObject({
    id: z.string(),
    label: z.enum(['safe', 'unsafe']),
    /** A category of the policy. */
    category: z.string().nullable(),
    summary: z.string(),
    cues: z.array(z.string()),
    /** What made it safe or unsafe. */
    why: z.string().optional(),
    /** Who stands for it: `seed` for those that ship, a person, a data set. */
    confirmedBy: z.string().optional(),
    modality: z.enum(['text', 'image', 'text+image']).optional(),
    lesson: z.enum(['mistake', 'confirmation']).optional(),
    /** Where it has the same picture: in how many bits of how many its hash differs. */
    picture: z.looseObject({ distance: z.number(), of: z.number(), mirrored: z.boolean() }).optional(),
    /**
     * How alike it is to the case at hand: 0 is what two texts have in common that have nothing to do with each other.
     */
    similarity: z.number(),
  })
  .meta({ id: 'ShownPrecedent' });

/** What a search left out, and the library as it found it. */
export const retrievalSchema = z.looseObject({
  /** The most alike first; at most a few dozen are named. */
  excluded: z.array(
    z.looseObject({
      id: z.string(),
      /** `collapsed`: it says the same as one that was shown. */
      reason: z.enum(['itself', 'near-duplicate', 'evaluation-set', 'left-out', 'collapsed']),
      similarity: z.number().optional(),
    }),
  ),
  /** How many were left out beyond those that are named. */
  furtherExcluded: z.int().optional(),
  library: z.looseObject({
    /** Precedents that could be found. */
    size: z.int(),
    /** What is wrong with it, in a sentence; null when nothing is. */
    problem: z.string().nullable(),
  }),
});

/** What an answer cost in all, by model and by seat. */
export const answerUsageSchema = usageSchema
  .extend({
    latencyMs: z.number(),
    byModel: z.record(z.string(), usageSchema),
    bySeat: z.record(z.string(), usageSchema),
  })
  .meta({ id: 'AnswerUsage' });

/** Something that went less well than it should have, and where. */
export const degradationSchema = z
  .looseObject({
    /** `fallback`, `struck-evidence`, `unseen-image`, `arbiter-failed`, `score-contradicts-rule`, … */
    kind: z.string(),
    /** The entry or the observation it happened in. */
    at: z.string(),
    detail: z.string(),
  })
  .meta({ id: 'Degradation' });

/** What made the answer: enough to make it again, or to see that something changed. */
export const provenanceSchema = z
  .looseObject({
    agon: z.string(),
    /** The protocol in words: `supporter, 2 rounds together, arbiter`. */
    protocol: z.string(),
    policy: z.looseObject({ name: z.string(), version: z.string(), hash: z.string() }),
    /** Hash of the roles' own words. */
    prompts: z.string(),
    /** Which model each seat is filled with. */
    models: z.record(z.string(), z.string()),
    /** By model, which files of it: of those that run in Agon itself. */
    digests: z.record(z.string(), z.string()).optional(),
    precedents: z.string().nullable(),
    configuration: z.string(),
    /** The same but for the library: what a calibration is fitted for, since learning must not undo it. */
    setup: z.string().optional(),
    /** What made a probability of the risk; absent while the configuration is not calibrated. */
    calibration: calibrationSchema.optional(),
    sensitivity: sensitivitySchema
      .optional()
      .describe('At which sensitivity the bar was picked; absent for `balanced`, and where the judge knows none.'),
  })
  .meta({ id: 'Provenance' });

const sources: z.ZodType<readonly (Source | Observation)[]> = z.array(sourceSchema);
const transcript: z.ZodType<Transcript> = z.array(entrySchema);

/** What every answer holds beside its subject and its verdict. */
export const answerShape = {
  version: z.literal(answerVersion),
  id: z.string(),
  /** What the debaters saw and evidence points into. */
  sources,
  transcript,
  precedents: z.array(precedentSchema),
  /** What the search left out, and how the library was; absent when nobody searched. */
  retrieval: retrievalSchema.optional(),
  usage: answerUsageSchema,
  provenance: provenanceSchema,
  sealVersion: z.int().describe('By which rule it is sealed.'),
  /** `sha256:…` of all of the above. */
  seal,
};

/** The decision, with the rule that made it and the evidence it stands on; each job has labels of its own. */
export const verdictSchema = z.looseObject({
  label: z.string(),
  risk: share
    .nullable()
    .describe(
      'How likely it is to be unsafe: a probability where the configuration is calibrated ' +
        '(`provenance.calibration`), else the judge’s own estimate. Null when nobody was heard, and of a job that ' +
        'states no risk.',
    ),
  bar: share
    .nullable()
    .describe('The risk from which it is unsafe, on the same scale; the sensitivity moves it. Null where the risk is.'),
  score: share.nullable().optional().describe('Only of a job that states no risk: its own number.'),
  confidence: share
    .nullable()
    .optional()
    .describe('Only of a job that states no risk: how sure it is of its label; null if it did not say.'),
  escalate: z.boolean().describe('A person must look at it.'),
  rule: z.object({ id: z.string(), why: z.string() }),
  categories: z.array(z.object({ id: z.string(), clause: z.string() })),
  action: z
    .string()
    .optional()
    .describe(
      'What the policy asks for: remove, restrict, label, warn, escalate, allow, or one of its own. A person may ' +
        'decide otherwise. Absent of jobs without a policy.',
    ),
  severity: z
    .enum(severities)
    .nullable()
    .optional()
    .describe('Of the gravest clause that is broken; null where none is.'),
  evidence: z.array(evidenceSchema),
  degraded: z.array(degradationSchema),
});

const anyAnswerSchema = z.looseObject({
  ...answerShape,
  job: z.string(),
  subject: z.looseObject({ hash: z.string() }),
  verdict: verdictSchema,
});

/** What a schema describes, without the room that it leaves for more, and not to be changed. */
export type Described<Value> = Value extends readonly (infer Item)[]
  ? number extends Value['length']
    ? readonly Described<Item>[]
    : Value
  : Value extends object
    ? { [Key in keyof Value as IsRoom<Value, Key> extends true ? never : Key]: Described<Value[Key]> }
    : Value;

type IsRoom<Value, Key extends keyof Value> = string extends Key ? (unknown extends Value[Key] ? true : false) : false;

/** Reads an answer of any job from its JSON, or says in one line why it is none. `name` is that of the file. */
export function readAnswer(json: string, name: string): Answer<{ hash: string }> {
  return parseAnswer(anyAnswerSchema, json, name);
}

const anyAnswer: { code: ErrorCode; what: string; hint: Hint } = {
  code: 'not-an-answer',
  what: 'an answer',
  hint: { library: 'Pass the JSON of an answer.', cli: 'Pass a file written by --json or --report answer.json.' },
};

/** Reads the JSON of an answer by a job's own schema. */
export function parseAnswer<Read>(
  schema: z.ZodType<Read>,
  json: string,
  name: string,
  { code, what, hint } = anyAnswer,
): Read {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AgonError(code, `${name} is not JSON: ${why}`, hint, { cause: error });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw new AgonError(
    code,
    `${name} is not ${what} of Agon: ${first!.path.join('.') || 'it'}: ${first!.message}`,
    hint,
  );
}
