import { findValue, type Transcript } from '@agonhq/engine/debate';
import { hashOf } from '@agonhq/engine/hash';
import { readSafetyLabel } from '@agonhq/engine/items';
import { indexVerdict, indexOfVerdict } from '../job/describe-answer.ts';
import type { JobItems, JobRequest } from '../job/job-inputs.ts';
import type { Job, OpenJob } from '../job/job.ts';
import { hashContext } from '../job/shown-context.ts';
import { namedBy, callersId, requestedByPolicy } from '../job/stored-items.ts';
import { evaluationBlock } from './block.ts';
import { evaluation, type EvaluateOptions, type EvaluationEvent, type EvaluationSetup } from './evaluate.ts';
import { mixtureStep, readEvaluationAnswer, type EvaluationAnswer } from './evaluation-answer.ts';
import { readExchange, type Exchange } from './exchange.ts';
import { exchangeExample, exchangeIn, holdsLines, valuesIn } from './imports/exchanges-in.ts';
import { evaluationMethods, type EvaluationMethod, type EvaluationPlan } from './plan.ts';
import { writeEvaluationMarkdown } from './report/markdown.ts';
import { writeEvaluationSummary } from './report/summary.ts';
import { riskConcepts } from './risk-concepts/distribution.ts';
import { loadReference, type FittedReference } from './risk-concepts/reference.ts';
import { evaluationSettings, type EvaluationSettings } from './settings.ts';
import { verifyEvaluation } from './verify-evaluation.ts';
import type { JobKit } from '../job/job-kit.ts';
import { buildEvaluationProvenance } from './provenance.ts';
import { z } from 'zod';
import { contextSchema } from '@agonhq/engine/items/item-context';

const message = z.strictObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.string().max(2_000_000),
});

export const evaluationRequestSchema = z
  .strictObject({
    id: callersId,
    model: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('The evaluated model, as provider:model: judges of its own family are warned about.'),
    prompt: z.string().max(2_000_000).optional(),
    response: z.string().max(2_000_000).optional(),
    messages: z
      .array(message)
      .max(1000)
      .optional()
      .describe('A whole conversation that ends with the answer of the model, instead of prompt and response.'),
    context: contextSchema.optional(),
    method: z.enum(['debate', 'judge', 'vote', 'role-free', 'prefix-match', 'pattern-match', 'guard']).optional(),
    ...requestedByPolicy,
  })
  .describe('What a model was asked, and what it answered.');

const evaluationRequest: JobRequest<Exchange, EvaluateOptions> = {
  schema: evaluationRequestSchema,
  read: async (given: z.output<typeof evaluationRequestSchema>, { item: id }) => ({
    input: readExchange({ ...(id === undefined ? {} : { id }), ...given }),
  }),
};

type OpenEvaluation = OpenJob<Exchange, EvaluationAnswer, EvaluationEvent, EvaluateOptions>;

/** Puts evaluation together, once; each exchange gets a setup of its own. Says at once what is missing. */
function openEvaluation(kit: JobKit): OpenEvaluation {
  const settings = evaluationSettings.parse(kit.settings);
  const plan = planFrom(settings, kit.seats.agents(['auditor', 'detector']));
  const asked = seatsAsked(plan);
  const models = kit.seats.require(asked);
  const allEmbedded = [...models.values()].every((model) => kit.seats.isEmbedded(model));
  const shared = {
    policy: kit.policy,
    plan,
    shots: settings.shots,
    reference: kit.fitted as FittedReference | null,
    tools: kit.tools,
    calibration: kit.calibration,
    secret: kit.secret,
    maxCharacters: settings.maxCharacters ?? (allEmbedded ? 5_000_000 : 200_000),
    context: settings.context ?? [],
    familyOf: kit.tools.modelFamily,
    version: kit.version,
  };

  function setUp(): EvaluationSetup {
    const { reasonerFor, journal, recorder } = kit.forSubject();
    const seated = (role: string) => asked.filter((seat) => seat.split('#')[0] === role).map(reasonerFor);
    return {
      ...shared,
      // A method has only the seats that it asks.
      reasoners: {
        auditor: seated('auditor'),
        detector: seated('detector'),
        critic: seated('critic')[0]!,
        arbiter: seated('arbiter')[0]!,
        judge: seated('judge')[0] ?? null,
      },
      journal,
      recorder,
    };
  }

  return {
    provenance: () => buildEvaluationProvenance(setUp()),
    judge: (exchange, options) => evaluation(exchange, setUp(), options),
  };
}

/** RADAR's defaults; its preset argues all rounds. */
function planFrom(settings: EvaluationSettings, agents: number): EvaluationPlan {
  const { stubbornness = {} } = settings;
  return {
    method: settings.method ?? 'debate',
    rounds: settings.rounds ?? 3,
    agents: settings.agents ?? agents,
    consensus: settings.consensus ?? settings.preset !== 'paper',
    stubbornness: { auditor: stubbornness.auditor ?? 0.5, detector: stubbornness.detector ?? 0.5 },
    consensusBound: settings.consensusBound ?? 0.05,
    smoothing: settings.smoothing ?? 0.001,
    delta: settings.delta ?? 0.5,
    gamma: settings.gamma ?? 0.1,
  };
}

/** The seats that a plan asks: the four roles' for everything that is held against the debate with the same models. */
function seatsAsked({ method, agents }: EvaluationPlan): string[] {
  const numbered = (role: string) =>
    agents === 1 ? [role] : Array.from({ length: agents }, (_, index) => `${role}#${index + 1}`);
  const roles: string[] = [...numbered('auditor'), ...numbered('detector'), 'critic', 'arbiter'];
  const byMethod: Record<EvaluationMethod, string[]> = {
    debate: roles,
    vote: roles,
    'role-free': roles,
    control: roles,
    judge: ['judge'],
    'prefix-match': [],
    'pattern-match': [],
  };
  return byMethod[method];
}

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

  needs: () => ({ precedentSeat: null, clauseExamples: true, secondModel: true }),
  open: openEvaluation,
  readAnswer: readEvaluationAnswer,
  verify: (answer, { sources, policy }) => verifyEvaluation(answer, { source: sources?.[0]?.bytes, policy }),
  summarize: indexOfVerdict,
  index: (answer) => indexVerdict(answer, measureDisagreement(answer.transcript)),
  debates: (answer) => [answer],
  report: {
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
