import { findValue, type Transcript } from '@agonhq/engine/debate';
import { hashOf } from '@agonhq/engine/hash';
import { readSafetyLabel } from '@agonhq/engine/items';
import { indexVerdict, indexOfVerdict } from '../job/index-verdict.ts';
import type { JobItems } from '../job/job-inputs.ts';
import type { Job } from '../job/job.ts';
import { hashContext } from '../job/shown-context.ts';
import { namedBy } from '../job/stored-items.ts';
import { evaluationBlock } from './block.ts';
import type { EvaluateOptions, EvaluationEvent } from './evaluate.ts';
import { mixtureStep, readEvaluationAnswer, type EvaluationAnswer } from './evaluation-answer.ts';
import { readExchange, type Exchange } from './exchange.ts';
import { exchangeExample, exchangeIn, holdsLines, valuesIn } from './imports/exchanges-in.ts';
import { openEvaluation, seatsAsked } from './open-evaluation.ts';
import { evaluationMethods } from './plan.ts';
import { writeEvaluationHtml } from './report/html.ts';
import { writeEvaluationMarkdown } from './report/markdown.ts';
import { writeEvaluationSummary } from './report/summary.ts';
import { evaluationRequest } from './request.ts';
import { riskConcepts } from './risk-concepts/distribution.ts';
import { loadReference } from './risk-concepts/reference.ts';
import { evaluationSettings } from './settings.ts';
import { verifyEvaluation } from './verify-evaluation.ts';

/** How exchanges are written in files of items: our own lines, or what promptfoo and Inspect write. */
const exchangeItems: JobItems<Exchange, EvaluateOptions> = {
  fields: ['id', 'label', 'prompt', 'response', 'messages', 'model', 'context'],
  families: ['context'],
  parts: [['prompt', 'response'], ['messages']],
  lists: ['messages'],
  example: exchangeExample,
  readLabel: readSafetyLabel,

  async readItem(value) {
    const exchange = exchangeIn(value);
    const { id, context, ...judged } = exchange;
    return { ...namedBy(id), input: exchange, hash: hashOf(judged) + hashContext({ context }) };
  },

  /** An item that names its model knows better than the run. */
  async openItem(stored, _files, { evaluatedModel }) {
    const model = evaluatedModel === null ? {} : { model: evaluatedModel };
    return { input: { ...model, ...readExchange(stored) }, options: {} };
  },

  importFile: async (file) => ((await holdsLines(file)) ? null : valuesIn(file)),
};

/** Evaluation (RADAR): is what a model answered to this prompt safe? */
export const evaluationJob: Job<Exchange, EvaluationAnswer, EvaluationEvent, EvaluateOptions> = {
  ...evaluationBlock,
  title: 'Evaluation',
  description: 'Is what a model answered to this prompt safe?',
  casePrefix: 'eval',
  subject: 'exchange',
  labels: ['safe', 'unsafe', 'undecided'],
  methods: evaluationMethods,
  // A family for each role.
  paperSeats: {
    auditor: 'openai:gpt-5',
    detector: 'xai:grok-3',
    critic: 'ollama:llama3.1:8b',
    arbiter: 'deepseek:deepseek-reasoner',
  },
  usesPolicy: true,
  fitted: {
    name: 'reference',
    load: async (settings) => {
      const { reference } = evaluationSettings.parse(settings);
      return reference ? loadReference(reference) : null;
    },
  },
  items: exchangeItems,
  request: evaluationRequest,
  guardAlone: { method: 'judge', reference: false },
  earlyStop: {
    isOn(settings) {
      const { consensus, preset } = evaluationSettings.parse(settings);
      return consensus ?? preset !== 'paper';
    },
    off: { consensus: false },
  },

  needs: () => ({ precedentSeat: null, clauseExamples: true, secondMind: true }),
  open: openEvaluation,
  readAnswer: readEvaluationAnswer,
  verify: (answer, { sources, policy }) => verifyEvaluation(answer, { source: sources?.[0]?.bytes, policy }),
  summarize: indexOfVerdict,
  index: (answer) => indexVerdict(answer, measureDisagreement(answer.transcript)),
  debates: (answer) => [answer],
  report: {
    html: (answer, { policy }) => writeEvaluationHtml(answer, policy),
    markdown: (answer, { policy }) => writeEvaluationMarkdown(answer, policy),
    notice: (answer, { policy }) => writeEvaluationSummary(answer, policy),
  },
  debateSeats: (_settings, { plan }) => seatsAsked({ ...plan, method: 'debate' }),
  restore: async (content) => ({ input: readExchange(content), options: {} }),
};

/** Between the mean distributions of auditors and detectors in the last round (total variation). */
function measureDisagreement(transcript: Transcript): number | null {
  const { auditor, detector } = findValue(transcript, mixtureStep) ?? {};
  if (!auditor || !detector) return null;
  return riskConcepts.reduce((sum, concept) => sum + Math.abs(auditor[concept] - detector[concept]), 0) / 2;
}
