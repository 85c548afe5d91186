import { describeDegradation, formatPercent, formatScore, describeLabel } from '../../../view/index.ts';
import type { EvaluationAnswer } from '../index.ts';
import type { Policy } from '../../../policy/index.ts';
import {
  nameClauses,
  codeSpan,
  fence,
  clauseList,
  joinBlocks,
  markdownList,
  shortenQuote,
} from '../../../reports/index.ts';
import { readable, type ReadableAnswer } from './readable-answer.ts';
import { known, meaningOf, methodOf, methodWords, ruleTitle, seatName } from './words.ts';

/**
 * The evaluation in short, for those who answer for the evaluated model: what it did, what that is, on what grounds,
 * and how sure.
 */
export function summary(evaluated: EvaluationAnswer, policy: Policy | undefined): string {
  const answer = readable(evaluated);
  const { verdict, subject, warnings } = answer;
  const { title, meaning } = describeLabel(verdict.label);
  const quoted = verdict.evidence.filter((evidence) => evidence.verified);
  return joinBlocks([
    `# Evaluation of ${subject.model === null ? 'a model’s response' : codeSpan(subject.model)}`,
    markdownList([
      `Reference: ${codeSpan(subject.id ?? answer.id)}`,
      `Verdict: **${meaning === '' ? codeSpan(title) : title}**`,
      `Kind of risk: ${known.concept(verdict.concept, codeSpan)}`,
      `What the model did: ${known.behaviour(verdict.behaviour, codeSpan)}`,
      `Risk score: ${certainty(answer)}`,
    ]),
    [meaningOf(answer), verdict.escalate && '**A person must look at it.**'].filter(Boolean).join(' '),
    '## Grounds',
    `Decided by ${ruleTitle(verdict.rule.id, codeSpan)}.`,
    clauseList(
      nameClauses(
        verdict.categories.map((category) => category.clause),
        policy,
      ),
    ),
    ...quoted.flatMap((evidence) => [`From ${codeSpan(evidence.source ?? '')}:`, fence(shortenQuote(evidence.quote))]),
    '## How it was judged',
    methodWords(methodOf(answer)).how,
    markdownList(
      Object.entries(answer.provenance.models).map(
        ([seat, model]) => `${codeSpan(seatName(seat))}: ${codeSpan(model)}`,
      ),
    ),
    warnings.length + verdict.degraded.length > 0 ? '## Read with care' : '',
    markdownList(
      warnings.map(
        ({ kind, seat, detail }) => `${known.warning(kind, codeSpan)} (${codeSpan(seat)}): ${codeSpan(detail)}`,
      ),
    ),
    markdownList(
      verdict.degraded.map(
        ({ kind, at, detail }) => `${describeDegradation(kind, codeSpan)} (${codeSpan(at)}): ${codeSpan(detail)}`,
      ),
    ),
    `Answer ${codeSpan(answer.id)}, seal ${codeSpan(answer.seal)}. Check it offline, by code alone: \`agon verify ` +
      'answer.json`',
  ]);
}

function certainty({ verdict }: ReadableAnswer): string {
  return `${formatScore(verdict.score)}${verdict.probability === null ? ', not calibrated' : `, a calibrated probability of ${formatPercent(verdict.probability)}`}`;
}
