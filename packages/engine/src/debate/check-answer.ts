import { isEvidenceFaithful, verifyQuotes, type Source } from '../evidence/index.ts';
import { isSameJson } from '../hash.ts';
import type { Answer, Provenance } from './answer.ts';
import type { RoleReader } from './role.ts';
import { hashAnswer, sealVersion } from './seal.ts';
import { findTurns, isTurnOf, type Entry, type Transcript } from './transcript.ts';
import type { Verdict } from './verdict.ts';

/** One thing that was rechecked, and how it came out. */
export interface Check {
  name: string;
  outcome: 'ok' | 'wrong' | 'not-checked';
  detail: string;
}

/** A check that came out right or wrong. */
export function checkThat(name: string, right: boolean, detail: string): Check {
  return { name, outcome: right ? 'ok' : 'wrong', detail };
}

/** Whether the answer is as it was given. */
export function checkSeal(answer: { seal: string; sealVersion: number }): Check {
  if (answer.sealVersion !== sealVersion)
    return checkThat('seal', false, `it is sealed by rule ${answer.sealVersion}, which this Agon does not know`);
  const right = hashAnswer(answer) === answer.seal;
  return checkThat('seal', right, right ? answer.seal : 'the answer was changed after it was given');
}

/** Whether every quotation says what its source says, and what was struck is really nowhere. */
export function checkQuotes({ transcript, verdict, sources }: Answer): Check {
  const evidence = [...findTurns(transcript).flatMap((turn) => turn.evidence), ...verdict.evidence];
  const wrong = evidence.filter((piece) => !isEvidenceFaithful(piece, sources));
  const struck = evidence.filter((piece) => !piece.verified).length;
  const detail =
    wrong.length > 0
      ? `${wrong.length} of ${evidence.length} quotations are not what their source says: ` +
        JSON.stringify(wrong[0]!.quote.slice(0, 80))
      : `${evidence.length - struck} quotations stand in their sources` +
        (struck > 0 ? `, ${struck} were rightly struck` : '');
  return checkThat('quotations', wrong.length === 0, detail);
}

/** The transcript of an answer from outside, with every quote looked for anew; or which turn no role can have taken. */
export function rereadTurns(
  transcript: Transcript,
  sources: readonly Source[],
  roles: readonly RoleReader[],
): { transcript: Transcript } | { problem: string } {
  const reread: Entry[] = [];
  for (const entry of transcript) {
    if (entry.kind !== 'turn') {
      reread.push(entry);
      continue;
    }
    const role = roles.find((one) => isTurnOf(entry, one) && one.schema.safeParse(entry.answer).success);
    if (!role) return { problem: `the answer of ${entry.key} is not readable` };
    reread.push({ ...entry, evidence: verifyQuotes(role.read(entry.answer).quotes, sources) });
  }
  return { transcript: reread };
}

/** What the decision of a recheck is compared by. */
export interface VerdictCheck<Decided extends Verdict<string>> {
  /** The policy that the recheck was made with; without the right one, clauses and marks are not checked. */
  policy?: { hash: string };
  /** What the job's own verdicts have besides. */
  own?: readonly (keyof Decided)[];
  isSame?: (a: unknown, b: unknown) => boolean;
}

/** Whether the verdict on record is the one that the rules make when they are applied anew. */
export function checkVerdict<Decided extends Verdict<string>>(
  { verdict, provenance }: { verdict: Decided; provenance: Provenance },
  again: Decided,
  { policy, own = [], isSame = isSameJson }: VerdictCheck<Decided>,
): Check[] {
  const same = (...keys: (keyof Decided)[]) => keys.every((key) => isSame(again[key], verdict[key]));
  const right = same('label', 'rule', 'risk', 'bar', 'evidence', ...own);
  const rules = checkThat('rules', right, `${right ? '' : 'applied anew, '}${again.rule.id} decides: ${again.label}`);
  if (policy?.hash !== provenance.policy.hash) {
    const { name, version, hash } = provenance.policy;
    const detail = `made under ${name} ${version} (${hash}): pass it with --policy`;
    return [rules, ...['clauses', 'action'].map((name) => ({ name, outcome: 'not-checked' as const, detail }))];
  }
  const clauses = same('categories')
    ? checkThat('clauses', true, `${again.categories.length} clause(s) of the policy`)
    : checkThat('clauses', false, 'the clauses are not the ones the policy has');
  const marks = same('escalate', 'degraded')
    ? checkThat('marks', true, 'escalation and degradations follow from the debate')
    : checkThat('marks', false, 'escalation or degradations are not those of the debate');
  return [rules, clauses, marks, checkAction(verdict, again)];
}

/** Whether the policy asks for what is proposed. */
function checkAction(
  { action, severity }: Pick<Verdict<string>, 'action' | 'severity'>,
  again: Pick<Verdict<string>, 'action' | 'severity'>,
): Check {
  const right = action === again.action && severity === again.severity;
  const why = again.severity ? `, by a clause of ${again.severity} severity` : '';
  return checkThat('action', right, `${right ? '' : 'the policy asks for '}${again.action}${why}`);
}
