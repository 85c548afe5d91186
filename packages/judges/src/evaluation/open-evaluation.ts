import type { JobKit } from '../job/job-kit.ts';
import type { OpenJob } from '../job/job.ts';
import { evaluation, type EvaluateOptions, type EvaluationEvent, type EvaluationSetup } from './evaluate.ts';
import type { EvaluationAnswer } from './evaluation-answer.ts';
import type { Exchange } from './exchange.ts';
import type { EvaluationMethod, EvaluationPlan } from './plan.ts';
import { buildEvaluationProvenance } from './provenance.ts';
import type { FittedReference } from './risk-concepts/reference.ts';
import { evaluationSettings, type EvaluationSettings } from './settings.ts';

export type OpenEvaluation = OpenJob<Exchange, EvaluationAnswer, EvaluationEvent, EvaluateOptions>;

/** Puts evaluation together, once; each exchange gets a setup of its own. Says at once what is missing. */
export function openEvaluation(kit: JobKit): OpenEvaluation {
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
export function seatsAsked({ method, agents }: EvaluationPlan): string[] {
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
