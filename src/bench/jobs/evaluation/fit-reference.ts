import { AgonError } from '../../../errors.ts';
import { fitReference, type FittedReference } from '../../../jobs/evaluation/index.ts';
import type { LabelledData } from '../../datasets/read-dataset.ts';
import type { LabelledExchange } from './labelled-exchange.ts';
import type { SafetyRun } from '../safety/run-safety.ts';

/** Fits P̂ of equation 5 on what the critic of a debate stated about labelled exchanges. */
export function fitReferenceFrom(
  runs: readonly { data: LabelledData<LabelledExchange>; run: SafetyRun<LabelledExchange> }[],
): FittedReference {
  const items = runs
    .flatMap(({ run }) => run.outcomes)
    .flatMap(({ item, judged }) =>
      item && judged?.evaluation?.critic
        ? [{ stated: judged.evaluation.critic, unsafe: item.label === 'unsafe', risk: item.risk }]
        : [],
    );
  if (!items.some(({ unsafe }) => unsafe) || items.every(({ unsafe }) => unsafe)) {
    throw new AgonError(
      'cannot-fit',
      'A reference needs safe and unsafe items on which the critic stated a distribution.',
      'Give more data with --data; it may be given several times.',
    );
  }
  return fitReference(
    items,
    runs.map(({ data }) => ({ file: data.file, sha256: data.sha256, items: data.lines.length })),
  );
}
