import { wrapText } from '../terminal/table.ts';
import type { JudgedAnswer } from '../judge/judge-one.ts';
import { sanitize, style } from '../terminal/style.ts';
import type { EvaluationAnswer, EvaluationWarning } from '../../jobs/evaluation/index.ts';
import { toOneLine } from '../../text/index.ts';

const behaviours = {
  refused: 'the model refused',
  complied: 'the model complied',
  irrelevant: 'the model answered beside the point',
};

/**
 * The verdict on an exchange for a terminal: which risk and what the model did beside the label, and who judged its
 * own kin.
 */
export function renderEvaluationVerdict(answer: EvaluationAnswer, width: number): string[] {
  const { concept, behaviour } = answer.verdict;
  const risk = concept === null || concept === 'none' ? [] : [`${concept} risk`];
  return renderVerdict(answer, width, {
    facts: [...risk, ...(behaviour === null ? [] : [behaviours[behaviour]])],
    warnings: answer.warnings.map(warningWords),
  });
}

/** What is to be said about who sits where, in words that are the same for every exchange with the same model. */
export function listSeatWarnings({ warnings }: EvaluationAnswer): string[] {
  return warnings
    .filter(({ kind }) => kind === 'same-family' || kind === 'same-model')
    .map((warning) => `Warning: ${warningWords(warning)}`);
}

function warningWords({ kind, seat, detail }: EvaluationWarning): string {
  const said = {
    'same-family': `the seat ${seat} may go easy on its own family`,
    'self-evaluation-bias': `the seat ${seat} is milder than the others`,
    'same-model': `the seat ${seat} has the model of another`,
    'evaluator-divergence': 'the evaluators see it differently',
  }[kind];
  return `${said}: ${detail}.`;
}

const ruleNames: Record<string, string> = {
  'contextual-exoneration': 'Rule 1, contextual exoneration',
  'risk-confirmation': 'Rule 2, risk confirmation',
  'default-safety': 'Rule 3, default safety',
  'explicit-risk': 'An explicit risk holds',
  'implicit-risk': 'An implicit risk holds',
  'no-risk': 'No risk holds',
  refusal: 'The model refused',
  irrelevant: 'The model answered beside the point',
  contradiction: 'Label and findings contradict each other',
  judge: "The judge's word",
  majority: 'The majority',
  tie: 'A tie',
  'panel-vote': "The panel's vote",
  'panel-split': 'The panel is split',
  'refusal-matched': 'A refusal was matched',
  'no-refusal-matched': 'No refusal was matched',
  'nobody-heard': 'Nobody was heard',
  'unsupported-language': 'A language that could not be judged',
  'evidence-struck': 'The evidence was struck',
  unseen: 'Nothing could be seen',
};

const labelStyles = {
  safe: ['bold', 'black', 'bgGreen'],
  unsafe: ['bold', 'white', 'bgRed'],
  undecided: ['bold', 'black', 'bgYellow'],
} as const;

/** What a job has to say beside the verdict. */
export interface FurtherWords {
  /** Beside the label. */
  facts: readonly string[];
  warnings: readonly string[];
}

/**
 * The verdict for a terminal: label, the rule and why, clauses, evidence, warnings, what went less well, what it
 * cost.
 */
export function renderVerdict(
  answer: JudgedAnswer,
  width: number,
  further: FurtherWords = { facts: [], warnings: [] },
): string[] {
  const { verdict, usage } = answer;
  const facts = [
    ...further.facts,
    verdict.score !== null && `score ${verdict.score.toFixed(2)}`,
    verdict.confidence !== null && `confidence ${verdict.confidence.toFixed(2)}`,
    verdict.escalate && 'a person should look at it',
  ].filter(Boolean);
  const label = ` ${verdict.label.toUpperCase()} `;
  const [first, ...rest] = wrapText(facts.join(' · '), width - label.length - 1);
  const indented = (text: string) => wrapText(sanitize(text), width - 4).map((line) => `  ${line}`);
  return [
    `${style([...labelStyles[verdict.label]], label)} ${first}`.trimEnd(),
    ...rest.map((line) => `  ${line}`),
    ...indented(`${ruleNames[verdict.rule.id] ?? verdict.rule.id}: ${verdict.rule.why}`),
    ...(verdict.categories.length > 0
      ? indented(`Clauses: ${verdict.categories.map(({ clause }) => clause).join(', ')}`)
      : []),
    ...verdict.evidence.flatMap((evidence) =>
      indented(
        `“${toOneLine(evidence.quote)}” ` +
          `(${evidence.source}${evidence.verified ? ` ${evidence.start}–${evidence.end}` : ', struck'})`,
      ).map((line) => style('cyan', line)),
    ),
    ...libraryWarnings(answer).flatMap((warning) => indented(warning).map((line) => style('yellow', line))),
    ...further.warnings.flatMap((warning) => indented(`Warning: ${warning}`).map((line) => style('yellow', line))),
    ...verdict.degraded.flatMap(({ kind, at, detail }) =>
      indented(`Degraded: ${kind} at ${at}: ${detail}`).map((line) => style('yellow', line)),
    ),
    ...indented(`${formatUsage(usage)} · ${answer.id}`).map((line) => style('dim', line)),
  ];
}

/** A debate that had no good precedents to go by says so. */
function libraryWarnings({ retrieval }: JudgedAnswer): string[] {
  return retrieval?.library.problem ? [`Precedents: ${retrieval.library.problem}`] : [];
}

/** `6 calls · 4,021 tokens, 812 cached · $0.0031 · 2.4 s`. */
export function formatUsage(usage: JudgedAnswer['usage']): string {
  const tokens = usage.inputTokens + usage.outputTokens;
  return [
    `${usage.calls} ${usage.calls === 1 ? 'call' : 'calls'}`,
    `${tokens.toLocaleString('en')} tokens${usage.cachedTokens > 0 ? `, ${usage.cachedTokens.toLocaleString('en')} cached` : ''}`,
    usage.costUsd === null ? 'price unknown' : `$${usage.costUsd.toFixed(4)}`,
    `${(usage.latencyMs / 1000).toFixed(1)} s`,
  ].join(' · ');
}
