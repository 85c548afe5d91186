import { z } from 'zod';
import { openGuardAgon, type GuardAgon } from '../../guard/index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { mergeSettings, type Settings } from '../../settings/index.ts';
import type { Verdict } from '@agonhq/engine/debate';

/** What stands under `config` of a provider or an assertion. */
const configSchema = z
  .strictObject({
    /** The embedded judge alone, or the debate as the settings have it. */
    method: z.enum(['guard', 'debate']).default('guard'),
    /** Settings, as in a configuration file. */
    settings: z.custom<Settings>((value) => typeof value === 'object' && value !== null).optional(),
    /** What the provider judges: the prompt as content, or with the variable `response` as an exchange. */
    job: z.enum(['moderation', 'evaluation']).default('moderation'),
    /** Whether an answer that nobody could decide passes. */
    undecided: z.enum(['fail', 'pass']).default('fail'),
    /** promptfoo's own: the folder of the suite. */
    basePath: z.string().optional(),
  })
  .prefault({});

export type JudgeConfig = z.output<typeof configSchema>;

export function readConfig(config: unknown): JudgeConfig {
  const parsed = configSchema.safeParse(config ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AgonError(
    'bad-guard-options',
    `The config is wrong: ${issue!.path.join('.') || 'config'}: ${issue!.message}.`,
    'docs/integrations.md lists what it takes.',
  );
}

const opened = new Map<string, Promise<GuardAgon>>();

/** An Agon for each way of judging, which all tests of a suite share. */
export function openPromptfooJudge({ method, settings: own = {} }: JudgeConfig): Promise<GuardAgon> {
  const key = JSON.stringify([method, own]);
  let agon = opened.get(key);
  if (!agon) {
    agon = open();
    agon.catch(() => opened.delete(key));
    opened.set(key, agon);
  }
  return agon;

  async function open(): Promise<GuardAgon> {
    const alone: Settings = {
      seats: { judge: 'embedded:guard-2' },
      moderation: { method: 'judge' },
      evaluation: { method: 'judge' },
    };
    const all = method === 'guard' ? mergeSettings(own, alone) : own;
    const agon = await openGuardAgon({ ...all, ledger: own.ledger ?? false });
    // promptfoo ends its process when the suite is over, and a model that is still being loaded then crashes it.
    if (method === 'guard') await agon.evaluate({ prompt: 'Good morning.', response: 'Good morning.' });
    return agon;
  }
}

/** A verdict as promptfoo keeps it beside a result. */
export function describeJudgedVerdict(id: string, { label, risk, bar, rule, categories, evidence, escalate }: Verdict) {
  return {
    case: id,
    label,
    risk,
    bar,
    escalate,
    clauses: categories.map(({ clause }) => clause),
    why: rule.why,
    quotes: evidence.filter(({ verified }) => verified).map(({ quote }) => quote),
  };
}
