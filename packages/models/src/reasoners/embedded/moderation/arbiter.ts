import { findTurns, isGlimpse, type Question } from '@agonhq/engine/debate';
import type { Findings, ModerationCaseFile } from '@agonhq/judges/moderation';
import {
  deliberateOnContent,
  findContentBar,
  hasSpoken,
  contentProbability,
  listContentQuotes,
  computeScore,
  type Deliberation,
  type ModerationKit,
} from './deliberation.ts';
import { makeFirstPass } from './make-first-pass.ts';
import { explainContext, findSpeechAct, isPlain, isWhole, quoted, quoteSome } from '../phrase-arguments.ts';
import { writeRisk } from '../weights.ts';

/** The arbiter: what was argued, weighed with the fitted weights. It counts only what somebody brought before it. */
export async function arbitrateContent(question: Question<ModerationCaseFile>, kit: ModerationKit): Promise<Findings> {
  // What somebody argued about is read.
  const isArgued = findTurns(question.transcript).length > 0;
  const first = isArgued ? null : await makeFirstPass(question.caseFile, kit);
  if (first && first.logit !== null) return passAtOnce(first.logit, first.hasRead, kit);
  const isDebated = hasSpoken(question, 'loose-debater');
  const own = { ...kit, isPlain: first?.isPlain ?? null };
  const seen = await deliberateOnContent(
    question,
    isDebated || question.caseFile.sources.some(isGlimpse) ? own : oneModel(own),
  );
  const { threshold } = kit.weights;
  const alone = hasSpoken(question, 'strict-debater') ? seen.worst : seen.subject;
  const heard = listContentQuotes(question, 'loose-debater');
  // The other model is heard through the loose debater.
  const logit = seen.second && isDebated ? seen.second.together : alone;
  const chance = contentProbability(logit);
  const unsafe = chance >= threshold;
  const exonerated = !unsafe && heard.length > 0 && contentProbability(alone) >= threshold;
  const score = computeScore(logit, kit);
  const said = writeRisk(score, kit.weights);
  const decided =
    logit === alone || unsafe === contentProbability(logit - seen.leaning) >= threshold
      ? ''
      : ` The earlier cases decide it: without them it would have come out ${unsafe ? 'safe' : 'unsafe'}.`;
  const beyond =
    seen.beyond && !unsafe
      ? ` The guard model sees “${seen.beyond.text}” in it, which the policy does not forbid.`
      : '';
  const by = `${decided}${beyond} Judged by ${kit.guard.id}, a small model, not an LLM.`;
  const [clause] = seen.clauses;
  const driving = seen.reading.worst.risky;
  return {
    statement: unsafe
      ? `Unsafe at ${said.risk} against a bar of ${said.bar}. ${explainBreach(seen, heard)}${by}`
      : exonerated
        ? `Safe at ${said.risk} against a bar of ${said.bar}. ${explainAcquittal(seen, heard)} On the first reading ` +
          `alone it would have come out unsafe.${by}`
        : `Safe at ${said.risk} against a bar of ${said.bar}. ${explainSafety(seen, logit - findContentBar(kit))}${by}`,
    exoneration: exonerated
      ? {
          why: explainAcquittal(seen, heard),
          evidence: heard.slice(0, 3),
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
            `${clause ? `amounts to “${clause.text}”` : 'resembles no clause of the policy'}.`,
          evidence: driving.length > 0 ? [...driving] : [seen.reading.worst.source.text],
          holds: true,
          clauses: clause ? [clause.id] : [],
        }
      : { why: `The risk is ${said.risk}, below the bar of ${said.bar}.`, evidence: [], holds: false, clauses: [] },
    confidence: Math.round((unsafe ? chance : 1 - chance) * 1e4) / 1e4,
    score,
  };
}

/** Says that the text was looked at by the smaller model, and whether it was by that alone. */
function passAtOnce(logit: number, hasRead: boolean, kit: ModerationKit): Findings {
  const score = computeScore(logit, kit);
  const said = writeRisk(score, kit.weights);
  const { id } = kit.guard;
  return {
    statement:
      `Safe at ${said.risk} against a bar of ${said.bar}. A first pass over it is enough: nothing in it comes near a ` +
      `clause. Judged by the first pass of ${id}, a small model, not an LLM` +
      `${hasRead ? `; what it was not sure of was read by ${id} itself, sentence by sentence` : ''}.`,
    exoneration: { why: 'No benign context was quoted.', evidence: [], holds: false },
    risk: {
      why: `The risk is ${said.risk} in the first pass, below the bar of ${said.bar}.`,
      evidence: [],
      holds: false,
      clauses: [],
    },
    confidence: Math.round((1 - contentProbability(logit)) * 1e4) / 1e4,
    score,
  };
}

/** Nobody speaks for the other model where nothing was debated, so it need not read. */
function oneModel(kit: ModerationKit): ModerationKit {
  return { ...kit, guard: { ...kit.guard, openSecond: null } };
}

function explainBreach({ reading: { worst }, clauses: [clause] }: Deliberation, heard: readonly string[]): string {
  const words = worst.risky.length > 0 ? quoteSome(worst.risky) : 'The whole of it';
  const several = worst.risky.length > 1;
  const asks = worst.head === 'content' && findSpeechAct(worst.source.text) === 'request';
  const verb = asks ? (several ? 'ask for help with' : 'asks for help with') : several ? 'amount to' : 'amounts to';
  const breach = clause ? `“${clause.text}”, which the policy forbids` : 'harm, though no clause fits it well';
  const outweighed =
    heard[0] === undefined ? '' : ` ${quoted(heard[0])} was held against that and does not outweigh it.`;
  return `${words} ${verb} ${breach}.${outweighed}`;
}

/** Why the benign reading prevailed. */
function explainAcquittal({ contexts }: Deliberation, heard: readonly string[]): string {
  const context = contexts.find(({ quote }) => heard.includes(quote));
  return context
    ? `${explainContext(context)}, and that outweighs the signs of risk.`
    : `Read with ${quoteSome(heard)}, it is harmless.`;
}

function explainSafety({ reading: { worst } }: Deliberation, fromBar: number): string {
  const [first] = worst.risky;
  return first === undefined || isPlain(fromBar) || isWhole(first, worst.source.text)
    ? 'Nobody has shown a passage that breaks a clause.'
    : `Nobody has shown a passage that breaks a clause; ${quoted(first)} came closest.`;
}
