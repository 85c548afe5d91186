import { isObservation, type Question } from '../../../debate/index.ts';
import type { Argument } from '../../../moderation/index.ts';
import { barOf, deliberate, hasSpoken, scoreOf, type Bench, type Deliberation } from './deliberation.ts';
import { cited, contextNames, distance, listed, quoted } from './words.ts';

/** The strict debater: the worst part in its worst reading, the passages that drive it, the clause it comes nearest to. */
export async function strictAnswer(question: Question, bench: Bench): Promise<Argument> {
  const seen = await deliberate(question, bench);
  const answering = question.round !== null && question.round > 1 && hasSpoken(question, 'loose-debater');
  const incriminating = Math.max(0, seen.leaning);
  const granted = answering ? seen.exonerating / 2 : 0;
  const logit = seen.worst + incriminating + granted;
  const fromBar = logit - barOf(bench);
  return {
    statement: answering ? rebuttal(seen, fromBar) : opening(seen, fromBar),
    concession: answering && seen.contexts[0]?.counts ? `The content does show ${contextNames[seen.contexts[0]!.kind]}: ${quoted(seen.contexts[0]!.quote)}.` : null,
    evidence: [...seen.reading.worst.risky],
    clauses: fromBar >= 0 ? [seen.clauses[0]!.id] : [],
    score: scoreOf(logit, bench),
  };
}

function opening(seen: Deliberation, fromBar: number): string {
  const { worst, subject } = seen.reading;
  const drivers = listed(worst.risky.slice(0, 3).map(quoted));
  const hidden = worst !== subject && isObservation(worst.source) ? ` It is not in plain sight: ${worst.source.tool} brought out ${quoted(worst.source.text)}.` : '';
  if (fromBar < 0) {
    return `Even in the worst reading the risk stands ${distance(fromBar)} the bar${drivers ? `; what speaks most for one is ${drivers}` : ''}. I name no clause.${hidden}`;
  }
  const unsafe = seen.precedents.filter(({ label }) => label === 'unsafe');
  const alike = unsafe.length > 0 ? ` Alike and unsafe: ${cited(unsafe)}.` : '';
  return `In the worst reading the risk stands ${distance(fromBar)} the bar, nearest to ${seen.clauses[0]!.id} (${seen.clauses[0]!.text})${drivers ? `; ${drivers} ${worst.risky.length === 1 ? 'drives' : 'drive'} it` : ''}.${hidden}${alike} Stated intent would not undo it.`;
}

function rebuttal(seen: Deliberation, fromBar: number): string {
  const [first] = seen.reading.worst.risky;
  if (seen.contexts.length > 0) {
    const answered = listed([...new Set(seen.contexts.map(({ kind, quote }) => `${quoted(quote)} as ${contextNames[kind]}`))].slice(0, 2));
    if (!seen.contexts[0]!.counts) return `My opponent points to ${answered}. In cases decided before, words like these went with harm as often as without, so my score stays.`;
    return `My opponent points to ${answered}. That counts, and I lower my score for it; ${fromBar >= 0 ? `beside it ${first ? quoted(first) : 'the risk'} stands unchanged` : 'with it, nothing is left that I could call a violation'}.`;
  }
  return fromBar >= 0
    ? `My opponent quotes no context that would exonerate this. ${first ? quoted(first) : 'The whole of it'} still stands against ${seen.clauses[0]!.id}, so my score stays.`
    : 'Neither of us found a passage that breaks a clause; my score stays low.';
}
