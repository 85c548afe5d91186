import { z } from 'zod';
import { claimLabels } from '@agonhq/documents';
import { flag, moment, named, person } from './common.ts';

export const correction = named(
  'Correction',
  z
    .object({
      id: z.string(),
      case: z.string().describe('The analysis.'),
      claim: z.string().describe('`claim-02`.'),
      text: z.string().describe('The claim in its own words.'),
      verdict: z.string().describe('The verdict of the machine.'),
      label: z.enum(claimLabels),
      why: z.string(),
      by: z.string(),
      at: moment,
      withdrawn: z.object({ by: z.string(), why: z.string().nullable(), at: moment }).nullable(),
    })
    .describe(
      'What a person says the verdict on a claim should have been. It stands beside the analysis, which stays as it ' +
        'is; later analyses recall it on the same claim and on claims alike. Never changed, but withdrawn.',
    ),
);
export const correctionList = named('CorrectionList', z.object({ rows: z.array(correction) }));

const all = flag.optional().describe('Those that were withdrawn or replaced, too; by default those that stand.');
export const correctionsQuery = z.strictObject({ all });

const who = person.describe('The person who says so; a key with a reviewer speaks in their name.');

export const correctionRequest = named(
  'CorrectionRequest',
  z.strictObject({
    claim: z.string().min(1).max(50).describe('Its id (`claim-02`) or its number (`2`).'),
    label: z.enum(claimLabels),
    why: z.string().min(1).max(5000).describe('What the verdict overlooks: later analyses are shown it.'),
    by: who,
  }),
);
export const withdrawalRequest = named(
  'WithdrawalRequest',
  z.strictObject({ why: z.string().max(5000).optional(), by: who }),
);

export const findingEdit = named(
  'FindingEdit',
  z
    .object({
      case: z.string().describe('The analysis.'),
      finding: z.string().describe('`claim-02`; `number-3` for numbers in conflict.'),
      wording: z.string().nullable().describe('How the person puts the finding in the report.'),
      note: z.string().nullable(),
      leftOut: z.boolean().describe('Whether it stays out of exports.'),
      by: z.string(),
      at: moment,
    })
    .describe('What a person makes of a finding for the report: beside what the machine says, never in its place.'),
);
export const byFinding = z.strictObject({ id: z.string(), finding: z.string().min(1).max(50) });
export const findingEditList = named('FindingEditList', z.object({ rows: z.array(findingEdit) }));
export const findingEditRequest = named(
  'FindingEditRequest',
  z.strictObject({
    wording: z.string().max(5000).optional(),
    note: z.string().max(5000).optional(),
    leftOut: z.boolean().optional(),
    by: who,
  }),
);
