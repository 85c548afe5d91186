import type { Answer } from '@agonhq/engine/debate';
import { toOneLine } from '@agonhq/engine/text';
import { describeAction, formatSpan, groupDegradations, type RiskView } from '@agonhq/engine/view';
import { formatInteger } from '../terminal/format.ts';
import { style } from '../terminal/style.ts';
import { indentText, wrapText } from '../terminal/table.ts';

/** What is shown of an answer with one verdict. */
type JudgedAnswer = Pick<Answer, 'id' | 'verdict' | 'retrieval' | 'usage'>;

const ruleNames: Record<string, string> = {
  'contextual-exoneration': 'Rule 1, contextual exoneration',
  'risk-confirmation': 'Rule 2, risk confirmation',
  'default-safety': 'Rule 3, default safety',
  'explicit-risk': 'Explicit risk',
  'implicit-risk': 'Implicit risk',
  'no-risk': 'No risk',
  refusal: 'The model refused',
  irrelevant: 'The model gave an irrelevant answer',
  contradiction: 'Label and findings contradict each other',
  judge: 'Single judge',
  majority: 'Majority',
  tie: 'Tie',
  'panel-vote': 'Panel vote',
  'panel-split': 'Split panel',
  'refusal-matched': 'Refusal matched',
  'no-refusal-matched': 'No refusal matched',
  'nobody-heard': 'No seat answered',
  'unsupported-language': 'Unsupported language',
  'evidence-struck': 'Evidence struck',
  unseen: 'Content not visible',
  unreadable: 'Not readable',
  'allowed-by-policy': 'Allowed by the policy',
};

/** Labels of jobs from outside are shown inverted. */
const labelStyles: Record<string, Parameters<typeof style>[0]> = {
  safe: ['bold', 'black', 'bgGreen'],
  unsafe: ['bold', 'white', 'bgRed'],
  undecided: ['bold', 'black', 'bgYellow'],
};

/** What a job shows beside the verdict. */
export interface VerdictExtras {
  /** The risk beside its bar, where the score is one; null when nobody was heard. */
  risk?: RiskView | null;
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
  further: VerdictExtras = { facts: [], warnings: [] },
): string[] {
  const { verdict, usage } = answer;
  const facts = [...further.facts, ...listNumbers(verdict, further.risk), verdict.escalate && 'needs review'].filter(
    Boolean,
  );
  const label = ` ${verdict.label.toUpperCase()} `;
  const [first, ...rest] = wrapText(facts.join(' · '), width - label.length - 1);
  const indented = (text: string) => indentText(text, width, 4);
  return [
    `${style(labelStyles[verdict.label] ?? ['bold', 'inverse'], label)} ${first}`.trimEnd(),
    ...rest.map((line) => `  ${line}`),
    ...indented(`${ruleNames[verdict.rule.id] ?? verdict.rule.id}: ${verdict.rule.why}`),
    ...(verdict.categories.length > 0
      ? indented(`Clauses: ${verdict.categories.map(({ clause }) => clause).join(', ')}`)
      : []),
    ...(verdict.action === undefined ? [] : indented(`Action: ${describeAction(verdict)}`)),
    ...verdict.evidence.flatMap((evidence) =>
      indented(`“${toOneLine(evidence.quote)}” (${evidence.source}${sayPlace(evidence)})`).map((line) =>
        style('cyan', line),
      ),
    ),
    ...listLibraryWarnings(answer).flatMap((warning) => indented(warning).map((line) => style('yellow', line))),
    ...further.warnings.flatMap((warning) => indented(`Warning: ${warning}`).map((line) => style('yellow', line))),
    ...groupDegradations(verdict.degraded).flatMap(({ kind, places, detail }) =>
      indented(`Degraded: ${kind} at ${places.join(', ')}: ${detail}`).map((line) => style('yellow', line)),
    ),
    ...indented(`${formatUsage(usage)} · ${answer.id}`).map((line) => style('dim', line)),
  ];
}

function sayPlace(evidence: JudgedAnswer['verdict']['evidence'][number]): string {
  if (!evidence.verified) return ', struck';
  const { start, end, moment } = evidence;
  return ` ${start}–${end}${moment ? `, at ${formatSpan(moment)}` : ''}`;
}

/** One number for the risk, beside its bar; of a job without one its own. */
function listNumbers(
  { score = null, confidence = null }: JudgedAnswer['verdict'],
  risk: RiskView | null | undefined,
): string[] {
  if (risk === null) return [];
  if (risk) return [`risk ${risk.text}`, `bar ${risk.barText}`];
  return [
    ...(score === null ? [] : [`score ${score.toFixed(2)}`]),
    ...(confidence === null ? [] : [`confidence ${confidence.toFixed(2)}`]),
  ];
}

/** A debate without good precedents says so. */
function listLibraryWarnings({ retrieval }: JudgedAnswer): string[] {
  return retrieval?.library.problem ? [`Precedents: ${retrieval.library.problem}`] : [];
}

/** `6 calls · 4,021 tokens, 812 cached · $0.0031 · 2.4 s`. */
export function formatUsage(usage: JudgedAnswer['usage']): string {
  const tokens = usage.inputTokens + usage.outputTokens;
  return [
    `${usage.calls} ${usage.calls === 1 ? 'call' : 'calls'}`,
    `${formatInteger(tokens)} tokens` + (usage.cachedTokens > 0 ? `, ${formatInteger(usage.cachedTokens)} cached` : ''),
    usage.costUsd === null ? 'price unknown' : `$${usage.costUsd.toFixed(4)}`,
    `${(usage.latencyMs / 1000).toFixed(1)} s`,
  ].join(' · ');
}
