import { evaluationJob, exchangesIn, holdsLines, type Exchange } from '../../jobs/evaluation/index.ts';
import { countLines } from '../read-input.ts';
import type { EvaluateFlags } from '../evaluate-flags.ts';
import { listSeatWarnings } from '../views/show-verdict.ts';
import { judgeMany } from '../judge-many.ts';
import { openAgon, createRunId, recordRun } from '../open-agon.ts';
import { readEvaluationSettings } from '../settings-flags.ts';

export async function evaluateMany(flags: EvaluateFlags): Promise<number> {
  const file = flags.file!;
  const countable = file !== '-' && (await holdsLines(file));
  const run = createRunId();
  const agon = await openAgon(await readEvaluationSettings(flags), { jobs: ['evaluation'], occasion: { run } });
  const { evaluatedModel: model } = flags;
  try {
    const { configuration } = agon.provenanceOf(evaluationJob);
    return await recordRun(agon.ledger, { id: run, job: 'evaluation', configuration, input: file }, async () =>
      judgeMany(flags, {
        items: exchangesIn(file),
        total: countable ? await countLines(file) : undefined,
        configuration,
        // An item that names its model knows better.
        judge: (exchange: Exchange, signal) =>
          agon.evaluate(model === undefined ? exchange : { model, ...exchange }, { signal }),
        spent: () => agon.spent(),
        warnings: listSeatWarnings,
      }),
    );
  } finally {
    await agon.close();
  }
}
