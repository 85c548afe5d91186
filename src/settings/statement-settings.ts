import { z } from 'zod';
import { setting } from '../setting.ts';
import { contentVisibilities, sourceTypes } from '../dsa-terms.ts';

/** What Agon cannot know of a service, for its statements of reasons: whatever is not set here is said to be unknown. */
export const statementSettings = z.strictObject({
  territorialScope: setting(z.array(z.string().regex(/^(?:[A-Z]{2}|EEA|EEA_no_IS)$/)).min(1), {
    help: 'where decisions hold: countries (`DE`), `EU` or `EEA`',
    values: 'a list',
    default: 'unknown',
    variable: null,
  }),
  source: setting(z.enum(sourceTypes), {
    help: 'how contents come to be judged, for all of them',
    default: 'unknown',
    variable: null,
  }),
  automatedDetection: setting(z.boolean(), {
    help: 'whether contents are found by automated means, for all of them',
    default: 'unknown',
    variable: null,
  }),
  rulesUrl: setting(z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }), {
    help: 'where the rules can be read that the policy writes down',
    values: 'a URL',
    default: 'unknown',
    variable: null,
  }),
  categories: setting(z.record(z.string(), z.string().regex(/^STATEMENT_CATEGORY_[A-Z_]+$/)), {
    help: 'by clause or category of the policy, what the DSA calls it: `hate.slurs: STATEMENT_CATEGORY_…`',
    values: 'names by clause or category',
    default: 'unknown',
    variable: null,
  }),
  visibility: setting(z.record(z.string(), z.enum(contentVisibilities)), {
    help: "by action of the policy's own, what it does to what people see: `age-gate: DECISION_VISIBILITY_…`",
    values: 'names by action',
    default: 'DECISION_VISIBILITY_OTHER',
    variable: null,
  }),
});

export type StatementSettings = z.infer<typeof statementSettings>;
