import type { Question } from '../../../debate/index.ts';
import type { Findings, ModerationCaseFile } from '../../../jobs/moderation/index.ts';
import {
  deliberate,
  exoneratingWeight,
  hasSpoken,
  probability,
  listQuotes,
  computeScore,
  type ModerationKit,
} from './deliberation.ts';
import { contextNames, quoted } from '../phrase-arguments.ts';
import { writeRisk } from '../weights.ts';

/** The arbiter: what was argued, weighed with the fitted weights. It counts only what somebody brought before it. */
export async function arbiterAnswer(question: Question<ModerationCaseFile>, kit: ModerationKit): Promise<Findings> {
  const seen = await deliberate(question, kit);
  const { threshold } = kit.weights;
  const risk = hasSpoken(question, 'strict-debater') ? seen.worst : seen.subject;
  const heard = listQuotes(question, 'loose-debater');
  const contexts = seen.contexts.filter(({ quote, counts }) => counts && heard.includes(quote));
  const before = risk + seen.leaning;
  const logit = before + exoneratingWeight(contexts, kit);
  const chance = probability(logit);
  const unsafe = chance >= threshold;
  const exonerated = !unsafe && probability(before) >= threshold;
  const score = computeScore(logit, kit);
  const said = writeRisk(score, kit.weights);
  const without = (part: number) => writeRisk(computeScore(part, kit), kit.weights).risk;
  const decided =
    unsafe === probability(logit - seen.leaning) >= threshold
      ? ''
      : ` The precedents decide it: without them it would have been ${without(logit - seen.leaning)}.`;
  const beyond =
    seen.beyond && !unsafe
      ? ` The guard model sees “${seen.beyond.text}” in it, which the policy does not forbid.`
      : '';
  const by = `${decided}${beyond} Judged by ${kit.guard.id}, a small model, not an LLM.`;
  const [clause] = seen.clauses;
  const driving = seen.reading.worst.risky;
  return {
    statement: unsafe
      ? `Unsafe at ${said.risk} against a bar of ${said.bar}: ` +
        `${driving[0] ? quoted(driving[0]) : 'the whole of it'} drives it${clause ? `, nearest to ${clause.id}` : ''}` +
        `${heard.length > 0 ? ', and the context that was quoted does not outweigh it' : ''}.${by}`
      : exonerated
        ? `Safe at ${said.risk} against a bar of ${said.bar}: ${quoted(contexts[0]!.quote)} is ` +
          `${contextNames[contexts[0]!.kind]}, without which it would have been ${without(before)}.${by}`
        : `Safe at ${said.risk} against a bar of ${said.bar}: no passage makes a violation likely enough.${by}`,
    exoneration: exonerated
      ? {
          why: `The content shows ${contextNames[contexts[0]!.kind]}, which outweighs the signs of risk.`,
          evidence: contexts.slice(0, 3).map(({ quote }) => quote),
          holds: true,
        }
      : {
          why:
            heard.length === 0
              ? 'No benign context was quoted.'
              : unsafe
                ? 'The quoted context does not outweigh the risk.'
                : 'No exoneration is needed.',
          evidence: [],
          holds: false,
        },
    risk: unsafe
      ? {
          why:
            `The risk is ${said.risk}, at or above the bar of ${said.bar}; it ` +
            `${clause ? `comes nearest to “${clause.text}”` : 'resembles no clause of the policy'}.`,
          evidence: driving.length > 0 ? [...driving] : [seen.reading.worst.source.text],
          holds: true,
          clauses: clause ? [clause.id] : [],
        }
      : { why: `The risk is ${said.risk}, below the bar of ${said.bar}.`, evidence: [], holds: false, clauses: [] },
    confidence: Math.round((unsafe ? chance : 1 - chance) * 1e4) / 1e4,
    score,
  };
}
