import type { Policy } from '@agonhq/engine/policy';
import { clauseList, codeSpan, fence, joinBlocks, markdownList } from '@agonhq/engine/reports';
import {
  describeDegradation,
  describeRisk,
  groupDegradations,
  nameSeat,
  showPhrase,
  nameClauses,
  shortenQuote,
} from '@agonhq/engine/view';
import type { EvaluationAnswer } from '../evaluation-answer.ts';
import { viewEvaluation } from '../view.ts';

/**
 * The evaluation in short, for those who answer for the evaluated model: what it did, what that is, on what grounds,
 * and how sure.
 */
export function writeEvaluationSummary(answer: EvaluationAnswer, policy: Policy | undefined): string {
  const view = viewEvaluation(answer);
  const { verdict, subject } = answer;
  const { label, warnings } = view;
  const quoted = verdict.evidence.filter((evidence) => evidence.verified);
  return joinBlocks([
    `# Evaluation of ${subject.model === null ? 'a model’s response' : codeSpan(subject.model)}`,
    markdownList([
      `Reference: ${codeSpan(subject.id ?? answer.id)}`,
      `Verdict: **${label.isKnown ? label.title : codeSpan(label.title)}**`,
      `Kind of risk: ${showPhrase(view.concept, codeSpan)}`,
      `What the model did: ${showPhrase(view.behaviour, codeSpan)}`,
      `Risk: ${describeRisk(view.risk)}`,
    ]),
    [view.meaning, verdict.escalate && '**Needs human review.**'].filter(Boolean).join(' '),
    '## Grounds',
    `Decided by ${showPhrase(view.decidedBy, codeSpan)}.`,
    clauseList(
      nameClauses(
        verdict.categories.map((category) => category.clause),
        policy,
      ),
    ),
    ...quoted.flatMap((evidence) => [`From ${codeSpan(evidence.source ?? '')}:`, fence(shortenQuote(evidence.quote))]),
    '## How it was judged',
    view.method.how,
    markdownList(
      Object.entries(answer.provenance.models).map(
        ([seat, model]) => `${codeSpan(nameSeat(seat))}: ${codeSpan(model)}`,
      ),
    ),
    warnings.length + verdict.degraded.length > 0 ? '## Read with care' : '',
    markdownList(
      warnings.map(
        ({ title, seat, detail }) => `${showPhrase(title, codeSpan)} (${codeSpan(seat)}): ${codeSpan(detail)}`,
      ),
    ),
    markdownList(
      groupDegradations(verdict.degraded).map(
        ({ kind, places, detail }) =>
          `${describeDegradation(kind, codeSpan)} (${codeSpan(places.join(', '))}): ${codeSpan(detail)}`,
      ),
    ),
    `Answer ${codeSpan(answer.id)}, seal ${codeSpan(answer.seal)}. Check it offline: save it as JSON ` +
      '(`--report answer.json`), then `agon verify answer.json`',
  ]);
}
