import type { Reasoner } from '../debate/index.ts';
import type { EvaluationMethod, EvaluationPlan, EvaluationSetup } from '../jobs/evaluation/index.ts';
import { embeddedModel, modelFamily } from '../reasoners/index.ts';
import {
  agentsNamed,
  requiredModelOf,
  type EvaluationSettings,
  type NumberedSeat,
  type SharedSeat,
} from '../settings/index.ts';
import { deobfuscate, findInjections } from '../tools/index.ts';
import { version } from '../version.ts';
import type { Workshop } from './workshop.ts';

/** Puts evaluation together, once; each exchange gets a setup of its own. Says at once what is missing. */
export function evaluationSetups(workshop: Workshop): () => EvaluationSetup {
  const { parts, pool, policy, reference } = workshop;
  const settings = workshop.settings.evaluation ?? {};
  const seats = workshop.seats('evaluation');
  const plan = planFrom(settings, agentsNamed(seats));
  const own = (seat: NumberedSeat) => parts.reasoners?.[seat] ?? parts.reasoners?.[seat.split('#')[0] as NumberedSeat];
  const asked = seatsAsked(plan);
  const models = new Map(asked.filter((seat) => !own(seat)).map((seat) => [seat, requiredModelOf(seat, seats)]));
  pool.check([...models.values()].filter((model) => model !== embeddedModel));
  const allEmbedded = [...models.values()].every((model) => model === embeddedModel);
  const shared = {
    policy,
    plan,
    shots: settings.shots,
    reference,
    tools: { deobfuscate, findInjections },
    calibration: workshop.calibrationFor('evaluation'),
    secret: workshop.secret,
    maxCharacters: settings.maxCharacters ?? (allEmbedded ? 5_000_000 : 200_000),
    familyOf: modelFamily,
    version,
  };
  return () => {
    const reasonerOf = workshop.reasoners();
    const seated = (seat: NumberedSeat) => own(seat) ?? reasonerOf(models.get(seat)!);
    const heard = (role: string) => asked.filter((seat) => seat.split('#')[0] === role).map(seated);
    return {
      ...shared,
      // A method has only the seats that it asks.
      reasoners: {
        auditor: heard('auditor'),
        detector: heard('detector'),
        critic: heard('critic')[0] as Reasoner,
        arbiter: heard('arbiter')[0] as Reasoner,
        judge: heard('judge')[0] ?? null,
      },
      journal: workshop.journal(),
      docket: workshop.docket('evaluation'),
    };
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
function seatsAsked({ method, agents }: EvaluationPlan): NumberedSeat[] {
  const numbered = (role: SharedSeat): NumberedSeat[] =>
    agents === 1 ? [role] : Array.from({ length: agents }, (_, index) => `${role}#${index + 1}` as const);
  const roles: NumberedSeat[] = [...numbered('auditor'), ...numbered('detector'), 'critic', 'arbiter'];
  const byMethod: Record<EvaluationMethod, NumberedSeat[]> = {
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
