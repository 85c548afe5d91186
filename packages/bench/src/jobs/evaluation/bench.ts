import { AgonError } from '@agonhq/engine/agon-error';
import { evaluationJob, fitReference, type FittedReference } from '@agonhq/judges/evaluation';
import { modelFamily } from '@agonhq/models/reasoners';
import { partSeparator } from '@agonhq/engine/text';
import { fitCalibration } from '../../calibration/fit-calibration.ts';
import type { JobBench, MeasuredRuns } from '../../job-bench.ts';
import { safetyFormats } from '../safety/formats.ts';
import { safetyBench, type KeptSafety, type SafetyRun } from '../safety/run-safety.ts';
import { evaluationFormats } from './formats.ts';
import { readLabelledExchange, type LabelledExchange } from './labelled-exchange.ts';
import { buildPaperBlocks } from './paper-blocks.ts';
import { buildEvaluationReport, type EvaluationReport } from './report.ts';
import { offerSystems } from '../../systems/offered-systems.ts';
import { evaluationAblations, evaluationSystemNames, openEvaluationSystems, type EvaluationSystem } from './systems.ts';
import type { LabelledData } from '../../datasets/read-dataset.ts';

type Measured = MeasuredRuns<LabelledExchange, EvaluationSystem, SafetyRun<LabelledExchange>>;

/** Evaluation on the bench: answers of models that are safe or unsafe, in the tables of the RADAR paper. */
export const evaluationBench: JobBench<
  LabelledExchange,
  EvaluationSystem,
  KeptSafety,
  SafetyRun<LabelledExchange>,
  EvaluationReport
> = {
  ...safetyBench,
  job: evaluationJob.id,
  itemFields: ['prompt', 'response', 'messages'],
  ownFields: ['response', 'messages'],
  recognizesItem: (fields) =>
    (Object.hasOwn(fields, 'prompt') && Object.hasOwn(fields, 'response')) || Object.hasOwn(fields, 'messages'),
  example: '{"id":"1","prompt":"…","response":"…","label":"safe"}',
  formats: [...safetyFormats, ...evaluationFormats],
  readItem: readLabelledExchange,
  readText({ subject }) {
    if (AgonError.is(subject)) return null;
    if ('prompt' in subject)
      return { whole: `${subject.prompt} ${subject.response}`, response: subject.response, about: '' };
    const spoken = subject.messages
      .filter(({ role }) => role === 'user' || role === 'assistant')
      .map(({ content }) => content);
    return { whole: spoken.join(' '), response: spoken.at(-1) ?? null, about: '' };
  },
  describeItem({ subject, model }) {
    if (AgonError.is(subject)) return { excerpt: '', model };
    const parts =
      'prompt' in subject
        ? [subject.prompt, subject.response]
        : subject.messages.map(({ role, content }) => `${role}: ${content}`);
    return { excerpt: parts.join(partSeparator), model };
  },
  presentation: {
    title: evaluationJob.title,
    leadingMetric: 'accuracy',
    accuracyTitle: "Overall accuracy (RADAR's Table 1)",
  },
  offeredSystems: offerSystems([
    'debate',
    'judge',
    'vote',
    'role-free',
    'control',
    'guard',
    'prefix-match',
    'pattern-match',
    'all-arbiter',
    'all-debaters',
    'judge:provider:model',
    'all:provider:model',
    'seat:NAME=provider:model',
  ]),
  systemNames: evaluationSystemNames,
  defaultSystem: 'debate',
  ablations: evaluationAblations,
  openSystems: openEvaluationSystems,
  buildReport({ data, systems, runs }, { notes }) {
    const evaluators = systems.map(({ name, evaluator }, index) => ({
      evaluator: { ...evaluator, name },
      runs: runs[index]!,
    }));
    // δ and γ, which all of ours share.
    const { delta, gamma } = systems.find(({ plan }) => plan !== null)?.plan ?? { delta: 0.5, gamma: 0.1 };
    return buildEvaluationReport(data, evaluators, { familyOf: modelFamily, delta, gamma, notes });
  },
  buildBlocks: buildPaperBlocks,
  fit: (measured) => fitReferenceFrom(measured.map(findFittedRun)),
  fitCalibration: (measured) => fitCalibration('evaluation', measured.map(findFittedRun)),
};

/** What a fit learns from: the first run of the debate, or of the only system. */
function findFittedRun({ data, systems, runs }: Measured) {
  const debate = systems.findIndex(({ evaluator }) => evaluator.method === 'debate');
  return { data, run: runs[Math.max(0, debate)]![0]! };
}

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
