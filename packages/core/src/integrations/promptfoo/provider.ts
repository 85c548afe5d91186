import { z } from 'zod';
import { describeJudgedVerdict, openPromptfooJudge, readConfig, type JudgeConfig } from './open-judge.ts';

const optionsSchema = z.object({ id: z.string().optional(), config: z.unknown().optional() });
const contextSchema = z.object({ vars: z.record(z.string(), z.unknown()).default({}) });

/** A provider that answers with Agon's verdict on the prompt: to test a policy, or to hold Agon against others. */
export class AgonProvider {
  readonly #id: string;
  readonly #config: JudgeConfig;

  constructor(options: unknown = {}) {
    const { id, config } = optionsSchema.parse(options ?? {});
    this.#config = readConfig(config);
    this.#id = id ?? `agon:${this.#config.job}:${this.#config.method}`;
  }

  id(): string {
    return this.#id;
  }

  async callApi(prompt: string, context?: unknown) {
    const started = performance.now();
    try {
      const agon = await openPromptfooJudge(this.#config);
      const { vars } = contextSchema.parse(context ?? {});
      const isExchange = this.#config.job === 'evaluation';
      const response = z.string().parse(isExchange ? vars['response'] : '', {
        error: () => 'the job evaluation needs a variable `response` with what the model answered',
      });
      const { id, verdict } = isExchange ? await agon.evaluate({ prompt, response }) : await agon.moderate(prompt);
      const flagged = verdict.label === 'unsafe';
      return {
        output: verdict.label,
        metadata: { agon: describeJudgedVerdict(id, verdict) },
        // What promptfoo's own assertion `guardrails` reads.
        guardrails: {
          flagged,
          flaggedInput: flagged && !isExchange,
          flaggedOutput: flagged && isExchange,
          reason: verdict.rule.why,
        },
        latencyMs: Math.round(performance.now() - started),
        cost: 0,
      };
    } catch (error) {
      // As promptfoo wants to be told of failures: a line of the results, and not the end of the suite.
      return { error: error instanceof Error ? error.message : String(error) };
    }
  }
}
