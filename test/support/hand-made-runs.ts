import type { LabelledData, SafetyRun } from '@agonhq/bench';
import type { Evaluator, EvaluatorRuns } from '@agonhq/bench/jobs/evaluation/figures';
import type { LabelledExchange } from '@agonhq/bench/jobs/evaluation/labelled-exchange';
import { noUsage } from '@agonhq/engine/debate';
import type { Distribution } from '@agonhq/judges/evaluation';

type Item = Partial<Pick<LabelledExchange, 'label' | 'model' | 'risk' | 'behaviour' | 'unknown'>>;

/** What an evaluator says of one item: a label alone, or more. */
export type Said =
  | 'safe'
  | 'unsafe'
  | 'undecided'
  | 'failed'
  | {
      label: 'safe' | 'unsafe' | 'undecided';
      distribution?: Distribution;
      score?: number;
      behaviour?: LabelledExchange['behaviour'];
    };

/** Data of items that differ in what is given, each an exchange. */
export function handMadeData(items: readonly Item[]): LabelledData<LabelledExchange> {
  return {
    file: 'data.jsonl',
    sha256: '0'.repeat(64),
    lines: items.map((item, index) => {
      const id = `item-${index + 1}`;
      return {
        line: index + 1,
        key: id,
        item: {
          id,
          label: 'safe' as const,
          model: null,
          risk: null,
          behaviour: null,
          unknown: [],
          category: null,
          modality: 'exchange' as const,
          trivial: false,
          raters: null,
          subject: { id, prompt: 'p', response: 'r' },
          ...item,
        },
      };
    }),
  };
}

/** An evaluator that says one thing of each item, repeat by repeat. */
export function handMadeRuns(
  data: LabelledData<LabelledExchange>,
  evaluator: Partial<Evaluator>,
  ...repeats: readonly (readonly Said[])[]
): EvaluatorRuns {
  const about: Evaluator = { name: 'debate', method: 'debate', rounds: 3, agents: 1, models: [], ...evaluator };
  const system = { name: about.name, configuration: `sha256:${about.name}` };
  return {
    evaluator: about,
    runs: repeats.map((said): SafetyRun<LabelledExchange> => {
      const outcomes = data.lines.map((line, index) => {
        const item = 'item' in line ? line.item : null;
        const word = said[index]!;
        const { label, distribution, score, behaviour } =
          typeof word === 'string'
            ? { label: word, distribution: undefined, score: undefined, behaviour: undefined }
            : word;
        const judged =
          label === 'failed'
            ? null
            : {
                label,
                score: score ?? null,
                probability: null,
                usage: { ...noUsage, calls: 2, inputTokens: 90, outputTokens: 10, costUsd: 0.5 },
                latencyMs: 4,
                opening: null,
                byModel: {},
                rule: null,
                turns: [],
                evaluation: {
                  concept: null,
                  behaviour: behaviour ?? null,
                  distribution: distribution ?? null,
                  critic: null,
                },
              };
        return {
          line: line.line,
          item,
          judged,
          unsafe: item && item.label === 'unsafe',
          said: label,
          score: score ?? null,
          rawScore: score ?? null,
        };
      });
      return {
        system,
        outcomes,
        keys: data.lines.map(({ key }) => ({ key })),
        problems: new Map(),
        judged: outcomes.flatMap(({ judged }) => judged ?? []),
        itemsPerSecond: 10,
        summary: { judged: 0, failed: 0, skipped: 0, running: 0, total: null, rate: 0, etaSeconds: null },
      };
    }),
  };
}
