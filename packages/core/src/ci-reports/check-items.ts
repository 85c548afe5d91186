import type { Job, JobAnswer } from '@agonhq/judges/job';
import { shortenWithin } from '@agonhq/engine/text';
import type { CiCheck, CheckRule } from './check.ts';

/** What came of an item of a file: an answer, or why there is none. */
export interface JudgedItem {
  line: number;
  key: string;
  result?: unknown;
  error?: { code: string; message: string };
}

export interface ItemChecks {
  job: Pick<Job, 'summarize' | 'debates'>;
  /** The file of the items; null where they came on standard input. */
  file: string | null;
  /** The verdicts that break a build. */
  failOn: readonly string[];
}

/** An item as a check: it passes unless its verdict is one of `failOn`, or nobody could decide. */
export function checkItem({ line, key, result, error }: JudgedItem, { job, file, failOn }: ItemChecks): CiCheck {
  const place = file === null ? null : { file, line };
  const about = { suite: file ?? 'standard input', name: key === String(line) ? `line ${line}` : key, place };
  if (error || !result) {
    const { code = 'no-result', message = 'It has no result.' } = error ?? {};
    const rule = { id: `error.${code}`, description: 'An item that could not be judged' };
    return { ...about, outcome: 'broken', title: 'Not judged', message: `${message} (${code})`, rule };
  }
  const answer = result as JobAnswer;
  const { label, categories } = job.summarize(answer);
  const outcome = failOn.includes(label) ? 'failed' : label === 'undecided' ? 'undecided' : 'passed';
  const told = outcome === 'passed' ? { title: '', message: '' } : describeAnswer(job, answer);
  return { ...about, outcome, ...told, rule: nameRule(label, categories), case: answer.id };
}

/** That there was nothing to judge, as a check: a report without one reads as a success. */
export function checkNothing({ code, message }: { code: string; message: string }, file: string | null): CiCheck {
  return {
    suite: file ?? 'standard input',
    name: 'items',
    outcome: 'broken',
    title: 'Nothing was judged',
    message: `${message} (${code})`,
    rule: { id: `error.${code}`, description: 'There was nothing to judge' },
    place: file === null ? null : { file, line: 1 },
  };
}

/** By the clause that was broken where one was named, else by the verdict. */
function nameRule(label: string, categories: readonly string[]): CheckRule {
  const [clause] = categories;
  return clause === undefined
    ? { id: `verdict.${label}`, description: `A verdict of ${label}` }
    : { id: `policy.${clause}`, description: `Clause ${clause} of the policy is broken` };
}

const longestQuote = 160;

/** The headline of a verdict, and why, with the first words it rests on. */
function describeAnswer(job: ItemChecks['job'], answer: JobAnswer): Pick<CiCheck, 'title' | 'message'> {
  const { label, risk, bar, categories, rule, action } = job.summarize(answer);
  const clauses = categories.length > 0 ? `: ${categories.join(', ')}` : '';
  const measured = risk !== null && bar !== null ? `Risk ${two(risk)}, bar ${two(bar)}. ` : '';
  const quotes = job.debates(answer).flatMap(({ verdict }) => verdict.evidence.filter(({ verified }) => verified));
  const quote = quotes[0] ? ` “${shortenWithin(quotes[0].quote, longestQuote)}”` : '';
  const proposed = action ? ` Action: ${action}.` : '';
  return { title: `${label}${clauses}`, message: `${measured}${rule.why}${quote}${proposed} (${answer.id})` };
}

function two(share: number): string {
  return share.toFixed(2);
}
