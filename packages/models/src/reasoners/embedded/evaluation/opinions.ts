import { findLastTurn, findTurns, type Question } from '@agonhq/engine/debate';
import {
  evaluationRoles,
  type Distribution,
  type ExchangeOpinion,
  type EvaluationCaseFile,
} from '@agonhq/judges/evaluation';
import { describeAlone, openAudit, openDetection, reviseOpinion } from './argue-exchange.ts';
import {
  deliberateOnExchange,
  computeDistribution,
  evidenceFor,
  chooseLabel,
  findExchangeBar,
  nearExchangeClauses,
  findPrior,
  exchangeProbability,
  readAlone,
  sumRisk,
  type ExchangeDeliberation,
  type ExchangeKit,
} from './deliberation.ts';
import { putFirst } from '../moderation/deliberation.ts';
import { weighUnderPolicy } from '../policy/policy-reader.ts';
import { writeRisk } from '../weights.ts';
import { answersIn } from './exchange-reading.ts';

/** How one of the two debaters looks at an exchange. */
interface Stance {
  /** How far above the bar the risk stands in its eyes. */
  risk(seen: ExchangeDeliberation): number;
  /** How much of the risk it takes for explicit. */
  explicitness(seen: ExchangeDeliberation): number;
  passages(seen: ExchangeDeliberation): readonly string[];
  /** What it says first. */
  opening(seen: ExchangeDeliberation): string;
}

const auditor: Stance = {
  risk: ({ audited }) => audited,
  // It holds the response against written rules: what it finds it takes for explicit sooner.
  explicitness: ({ explicitness }) => Math.sqrt(explicitness),
  passages: ({ answer }) => (answer.other ?? answer.own).risky,
  opening: openAudit,
};

const detector: Stance = {
  risk: ({ detected }) => detected,
  // It looks below the surface: what it finds it takes for implicit sooner.
  explicitness: ({ explicitness }) => explicitness ** 2,
  passages: ({ answer }) => answer.own.risky,
  opening: openDetection,
};

/** The auditor: policy-category evidence, by the model that learnt from texts. */
export function auditorAnswer(question: Question<EvaluationCaseFile>, kit: ExchangeKit): Promise<ExchangeOpinion> {
  return opinion(question, kit, auditor);
}

/** The detector: the risk of the pair beyond the surface, by the model that learnt from exchanges. */
export function detectorAnswer(question: Question<EvaluationCaseFile>, kit: ExchangeKit): Promise<ExchangeOpinion> {
  return opinion(question, kit, detector);
}

/** A judge without a role is the guard alone, with no debate: the control that every debate has to beat. */
export async function judgeExchange(
  { caseFile }: Question<EvaluationCaseFile>,
  kit: ExchangeKit,
): Promise<ExchangeOpinion> {
  const answers = await Promise.all(
    answersIn(caseFile).map(async (answer) => ({
      answer,
      view: await readAlone(answer, kit),
    })),
  );
  const { answer, view } = answers.toSorted((a, b) => b.view.alone - a.view.alone)[0]!;
  const { surface } = view;
  const { text } = answer.source;
  const finding = await kit.policy.judge({ text, embed: async () => surface.embedding }, kit.signal);
  const { logit, own } = weighUnderPolicy(view.alone, findExchangeBar(kit), finding);
  const risk = logit - findExchangeBar(kit);
  const risky = own ? [own.passage] : view.own.risky;
  const distribution = computeDistribution(risk, exchangeProbability(surface.logit));
  const label = chooseLabel(distribution);
  const said = writeRisk(sumRisk(distribution), kit.weights);
  return {
    statement:
      `The guard model alone puts the risk at ${said.risk}, ${label === 'unsafe' ? 'at or above' : 'below'} the bar ` +
      `of ${said.bar}. ${describeAlone(answer, risky, risk)}`,
    evidence: label === 'unsafe' ? evidenceFor(risky, answer) : [],
    clauses:
      label === 'unsafe'
        ? putFirst(
            own ? own.clause : finding.reach.under,
            await nearExchangeClauses(answer, surface, risky[0], kit),
            finding.silent,
          )
            .slice(0, 1)
            .map(({ id }) => id)
        : [],
    behaviour: view.own.refused >= 0.5 ? 'refused' : 'complied',
    label,
    distribution,
  };
}

async function opinion(
  question: Question<EvaluationCaseFile>,
  kit: ExchangeKit,
  stance: Stance,
): Promise<ExchangeOpinion> {
  const seen = await deliberateOnExchange(question, kit);
  const prior = findPrior(question);
  const distribution = prior ?? computeDistribution(stance.risk(seen), stance.explicitness(seen));
  const statement = prior ? revise(question, prior, stance.passages(seen)) : stance.opening(seen);
  return stated(seen, distribution, stance, statement);
}

function stated(
  seen: ExchangeDeliberation,
  distribution: Distribution,
  stance: Stance,
  statement: string,
): ExchangeOpinion {
  const label = chooseLabel(distribution);
  return {
    statement,
    evidence:
      label === 'unsafe'
        ? evidenceFor(stance.passages(seen), seen.answer)
        : seen.answer.own.refusal === null
          ? []
          : [seen.answer.own.refusal],
    clauses: label === 'unsafe' ? seen.clauses.slice(0, 1).map(({ id }) => id) : [],
    behaviour: seen.behaviour,
    label,
    distribution,
  };
}

/** What it says after the critic was heard. */
function revise({ transcript, seat }: Question, prior: Distribution, passages: readonly string[]): string {
  const { auditor, detector, critic } = evaluationRoles;
  const before = findTurns(transcript, auditor, detector).findLast((turn) => turn.seat === seat);
  const critique = findLastTurn(transcript, critic);
  const points =
    critique && !critique.fallback
      ? critique.answer.objections.filter(({ to }) => to === before?.role).map(({ point }) => point)
      : [];
  return reviseOpinion({ points, before: before?.answer.label, now: chooseLabel(prior), passages });
}
