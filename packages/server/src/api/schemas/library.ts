import { z } from 'zod';
import { sensitivities } from '@agonhq/engine/policy/sensitivity';
import { knownJob, moment, named, pageOf, paging, usage, severity } from './common.ts';

const state = z.enum(['active', 'proposed', 'retired', 'overruled']);
const label = z.enum(['safe', 'unsafe']);

export const keptPrecedent = named(
  'Precedent',
  z
    .looseObject({
      id: z.string(),
      label,
      category: z.string().nullable(),
      clause: z.string().nullable(),
      summary: z.string(),
      cues: z.array(z.string()),
      why: z.string(),
      text: z.string(),
      policy: z.looseObject({ name: z.string(), version: z.string(), hash: z.string() }).nullable(),
      provenance: z.looseObject({ kind: z.enum(['seed', 'learnt', 'imported']) }),
      confirmedBy: z.string(),
      state,
      overruledBy: z.string().nullable(),
      expiresAt: z.string().nullable(),
      createdAt: z.string(),
    })
    .describe('A decided case that debates draw on.'),
);

export const precedentPage = pageOf('PrecedentPage', keptPrecedent);

export const precedentQuery = z.strictObject({
  ...paging,
  state: state.optional(),
  label: label.optional(),
  category: z.string().max(100).optional(),
  search: z.string().max(200).optional(),
});

const words = (most: number) => z.string().trim().min(1).max(most);

export const newPrecedent = named(
  'NewPrecedent',
  z.strictObject({
    label,
    text: words(20_000),
    summary: words(1000),
    why: words(2000),
    cues: z.array(words(500)).max(20).default([]),
    category: z.string().max(100).nullable().optional(),
    clause: z
      .string()
      .max(100)
      .nullable()
      .optional()
      .describe('A clause of the policy in force; the category follows from it.'),
    expiresAt: moment.optional(),
  }),
);

/** Its text and its label stay: its vector, and the verdicts that cite it, depend on them. */
export const precedentChange = named(
  'PrecedentChange',
  z.strictObject({
    summary: words(1000).optional(),
    why: words(2000).optional(),
    cues: z.array(words(500)).max(20).optional(),
    category: z.string().max(100).nullable().optional(),
    clause: z.string().max(100).nullable().optional(),
    expiresAt: moment.nullable().optional(),
  }),
);

export const reason = named('Reason', z.strictObject({ why: words(2000) }));
export const perhapsReason = named('PerhapsReason', z.strictObject({ why: words(2000).optional() }));

export const precedentSearch = named(
  'PrecedentSearch',
  z.strictObject({ text: words(100_000), limit: z.int().min(1).max(50).default(10) }),
);

export const precedentMatches = named(
  'PrecedentMatches',
  z.object({
    precedents: z.array(z.looseObject({ id: z.string(), label, similarity: z.number(), summary: z.string() })),
    excluded: z.array(z.looseObject({ id: z.string(), reason: z.string() })),
    library: z.object({ size: z.int(), problem: z.string().nullable() }),
  }),
);

export const approved = named(
  'Approved',
  z.object({
    approved: z.array(z.string()),
    overruled: z.array(z.object({ id: z.string(), by: z.string() })),
    waiting: z.array(z.object({ id: z.string(), against: z.array(z.string()) })),
  }),
);

export const learnRequest = named(
  'LearnRequest',
  z.strictObject({
    all: z.boolean().default(false).describe('Also learn from correct verdicts.'),
    review: z
      .boolean()
      .optional()
      .describe('Whether what is learnt waits for approval; by default as the server is configured.'),
    dryRun: z.boolean().default(false),
    limit: z.int().min(1).max(10_000).optional(),
  }),
);

export const learnReport = named(
  'LearnReport',
  z.looseObject({
    version: z.literal(1),
    mode: z.enum(['failures', 'all']),
    dryRun: z.boolean(),
    curator: z.string(),
    cases: z.array(z.looseObject({ case: z.string(), outcome: z.string() })),
    usage,
    stopped: z.string().nullable(),
  }),
);

const example = z.looseObject({ text: z.string().optional(), imageDescription: z.string().optional() });
export const policy = named(
  'Policy',
  z
    .looseObject({
      name: z.string(),
      version: z.string(),
      preamble: z.string().optional(),
      sensitivity: z.enum(sensitivities).optional(),
      actions: z
        .record(z.string(), z.string())
        .optional()
        .describe('Its own actions, and its own words for the others: what the notice says.'),
      hash: z.string(),
      categories: z.array(
        z.looseObject({
          id: z.string(),
          title: z.string(),
          clauses: z.array(
            z.looseObject({
              id: z.string(),
              text: z.string(),
              severity,
              violations: z.array(example),
              exonerations: z.array(example),
              action: z
                .string()
                .optional()
                .describe(
                  'What is done with what breaks it; absent, the default of its severity. `allow`: the clause is ' +
                    'switched off.',
                ),
            }),
          ),
        }),
      ),
    })
    .describe('The rulebook.'),
);

export const policyVersion = named(
  'PolicyVersion',
  z.object({
    hash: z.string(),
    name: z.string(),
    version: z.string(),
    keptAt: moment.nullable().describe('When it was recorded; null for older policies.'),
    active: z.boolean().describe('Whether new cases are judged by it.'),
    cases: z.int().describe('How many cases were judged by it.'),
  }),
);
export const policyPage = named('PolicyList', z.object({ rows: z.array(policyVersion) }));

export const policyWritten = named(
  'PolicyWritten',
  z.strictObject({ yaml: z.string().min(1).max(200_000).describe('The policy file as text.') }),
);

export const policyDifference = named(
  'PolicyDifference',
  z.object({
    from: z.object({ hash: z.string(), name: z.string(), version: z.string() }),
    to: z.object({ hash: z.string(), name: z.string(), version: z.string() }),
    changes: z.array(
      z.object({
        at: z.string().describe('The id of a category or a clause; `policy` for the policy as a whole.'),
        kind: z.enum(['added', 'removed', 'changed']),
        what: z
          .string()
          .describe(
            'A field: `text`, `severity`, `title`, `violations` …; `clause` or `category` where a whole one comes ' +
              'or goes; `clauses` or `categories` where their order is another.',
          ),
        before: z.unknown(),
        after: z.unknown(),
      }),
    ),
  }),
);

export const policyTest = named(
  'PolicyTest',
  z.object({
    version: z.literal(1),
    policy: z.string(),
    caught: z.boolean().describe('Every clause catches its own examples.'),
    clauses: z.array(
      z.looseObject({
        clause: z.string(),
        examples: z.int(),
        missed: z.array(z.looseObject({ kind: z.enum(['violation', 'exoneration']), example, outcome: z.string() })),
        embedded: z
          .looseObject({
            model: z.string(),
            recognised: z.int().describe('Violations that it catches when each in turn is unknown to it.'),
            of: z.int(),
            judged: z.boolean().describe('Whether that is enough to rely on.'),
          })
          .optional()
          .describe('How well the embedded reasoner tells a clause that it was not trained for.'),
      }),
    ),
  }),
);

export const impactRequest = named(
  'ImpactRequest',
  z
    .strictObject({
      run: z.string().max(200).optional(),
      since: moment.optional(),
      job: knownJob.optional(),
      limit: z.int().min(1).max(1_000_000).optional(),
      sample: z.int().min(1).max(100_000).optional(),
      seed: z.int().min(0).default(0),
    })
    .describe('Which past cases to judge again; by default all.'),
);

export const impactReport = named(
  'ImpactReport',
  z.looseObject({
    version: z.literal(1),
    policy: z.looseObject({ hash: z.string() }),
    cases: z.int(),
    unchanged: z.int(),
    flips: z.record(z.string(), z.int()),
    otherClauses: z.int(),
    byClause: z.array(
      z.looseObject({
        clause: z.string().nullable(),
        flips: z.record(z.string(), z.int()),
        entered: z.int(),
        left: z.int(),
        examples: z.array(z.string()).describe('Some of the cases.'),
      }),
    ),
    escalated: z.object({ before: z.int(), after: z.int() }),
    failed: z.record(z.string(), z.int()),
    skipped: z.int(),
    usage,
  }),
);

export const progressEvent = named(
  'ProgressEvent',
  z
    .looseObject({ type: z.string() })
    .describe('`progress` while it works, `change` and `failure` for single cases, then `report` or `problem`.'),
);
