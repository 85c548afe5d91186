import type { Degradation } from '@agonhq/engine/debate';
import { joinWithAnd, listWords, toOneLine } from '@agonhq/engine/text';
import type { ClaimAnswer } from '../analysis.ts';
import { correctedRule } from '../corrections/index.ts';
import type { NumberFinding } from '../numbers/finding.ts';

type Judged = Pick<ClaimAnswer, 'subject' | 'verdict' | 'numbers' | 'corrections'>;

const numerals = listWords('no one two three four five six seven eight nine ten eleven twelve');
/** Of each kind so many are named; the others are counted. */
const mostNamed = 3;

/**
 * The outlook as a paragraph, from verdicts and number findings alone. `degraded`: why claims may not have been found.
 */
export function writePlainBrief(
  claims: readonly Judged[],
  numbers: readonly NumberFinding[],
  degraded: readonly Degradation[] = [],
): string {
  // What a person decided is told as their word, and not as the documents'.
  const shown = claims.filter(({ verdict }) => verdict.rule.id !== correctedRule);
  const labelled = (...labels: string[]) => shown.filter(({ verdict }) => labels.includes(verdict.label));
  const fallen = labelled('contradicted');
  return [
    ...describeUnread(degraded),
    claims.length === 0 && degraded.length === 0 ? 'No statement was found that could be judged.' : '',
    tellFallen(fallen, claims.length),
    tellHeld(labelled('verified-strong', 'supported'), claims.length),
    tellOthers(labelled('mixed'), 'holds only in part', 'hold only in part'),
    tellOthers(
      labelled('unsupported'),
      'is not shown by anything in the documents',
      'are not shown by anything in the documents',
    ),
    tellOthers(labelled('undecided'), 'could not be judged', 'could not be judged'),
    ...claims.map(tellCorrection),
    tellNumbers(numbers, fallen),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function tellFallen(fallen: readonly Judged[], all: number): string {
  if (fallen.length === 0) return '';
  const named = fallen.slice(0, mostNamed).map((claim) => `${quote(claim)} (${explain(claim)})`);
  const lead =
    all === 1
      ? 'The one statement judged is contradicted by the documents themselves'
      : `${capitalize(count(fallen.length))} of the ${count(all)} statements judged ` +
        `${fallen.length === 1 ? 'is' : 'are'} contradicted by the documents themselves`;
  return `${lead}: ${joinNamed(named, fallen.length)}.`;
}

function tellHeld(held: readonly Judged[], all: number): string {
  if (held.length === 0) return '';
  if (held.length === all)
    return all === 1
      ? `The one statement judged is borne out: ${quote(held[0]!)}.`
      : `${all === 2 ? 'Both' : `All ${count(all)}`} statements judged are borne out.`;
  const such = held.length === 1 ? quote(held[0]!) : joinNamed(held.slice(0, mostNamed).map(quote), held.length);
  return `${capitalize(count(held.length))} ${held.length === 1 ? 'is' : 'are'} borne out: ${such}.`;
}

function tellOthers(claims: readonly Judged[], one: string, several: string): string {
  if (claims.length === 0) return '';
  return `${joinNamed(claims.slice(0, mostNamed).map(quote), claims.length)} ${claims.length === 1 ? one : several}.`;
}

/** What a person said of the same claim, and whether it decided: what only code can show is not shown by their word. */
function tellCorrection(claim: Judged): string {
  const said = claim.corrections?.find(({ likeness }) => likeness === 'same');
  if (!said || (said.label === claim.verdict.label && claim.verdict.rule.id !== correctedRule)) return '';
  const by = toOneLine(said.by);
  return claim.verdict.rule.id === correctedRule
    ? `By the correction of ${by}, ${quote(claim)} counts as ${said.label}.`
    : `${by} says that ${quote(claim)} is ${said.label}, which nothing that could be computed or quoted shows.`;
}

function tellNumbers(numbers: readonly NumberFinding[], fallen: readonly Judged[]): string {
  const told = new Set(fallen.flatMap((claim) => claim.numbers.map(({ arithmetic }) => arithmetic)));
  const conflicts = numbers.filter(({ outcome }) => outcome === 'conflict');
  const others = conflicts.filter(({ arithmetic }) => !told.has(arithmetic));
  if (others.length > 0) {
    const lead =
      others.length === 1 ? 'One number does not agree' : `${capitalize(count(others.length))} numbers do not agree`;
    return `${told.size > 0 ? `Besides, ${lead.charAt(0).toLowerCase()}${lead.slice(1)}` : lead}: ${joinNamed(
      others
        .slice(0, mostNamed)
        .map(({ statement, arithmetic }) => `${dropPeriod(toOneLine(statement))} (${toOneLine(arithmetic)})`),
      others.length,
    )}.`;
  }
  if (conflicts.length > 0) return '';
  if (numbers.length === 0) return 'No number could be recomputed.';
  return fallen.length > 0
    ? 'Otherwise the numbers that could be recomputed agree.'
    : 'The numbers that could be recomputed agree.';
}

/** Why the documents were not read: a language that no seat knows, or a seat that gave no answer. */
export function describeUnread(degraded: readonly Degradation[]): string[] {
  const reasons = [...new Set(degraded.filter(({ kind }) => kind === 'fallback').map(({ detail }) => detail))];
  return reasons.map((reason) => {
    const [, seat, known, language] = /^unsupported-language: (\S+) judges (.+), and this is (.+)$/u.exec(reason) ?? [];
    return language === undefined
      ? `The factor agent did not read all of it (${reason}): claims may be missing.`
      : `The documents are in ${language}, and ${seat!} reads ${known!}: no claim was looked for. ` +
          `To judge them, seat ` +
          `a model that reads ${language}.`;
  });
}

/** The arithmetic where numbers decided, else what the rule says. */
function explain({ verdict, numbers }: Judged): string {
  const shown = numbers.find(({ outcome, statement, arithmetic }) =>
    outcome === 'conflict' && verdict.rule.why.includes(arithmetic) ? statement !== '' : false,
  );
  return dropPeriod(toOneLine(shown?.arithmetic ?? verdict.rule.why));
}

function quote({ subject }: Judged): string {
  return `“${dropPeriod(toOneLine(subject.text))}”`;
}

function dropPeriod(text: string): string {
  return text.replace(/(?<![.…,;:\s])[.…,;:\s]+$/u, '');
}

function joinNamed(named: readonly string[], all: number): string {
  const more = all - named.length;
  return more > 0 ? `${named.join(', ')} and ${count(more)} more` : joinWithAnd(named);
}

function count(number: number): string {
  return numerals[number] ?? String(number);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
