import { findLastTurn, type Question, type Transcript } from '@agonhq/engine/debate';
import { documentSpeakers, type CrossExamination, type DocumentCaseFile } from '@agonhq/documents';
import { quoted } from '../phrase-arguments.ts';
import { readClaimCase, selectQuotable, type ClaimReading } from './read-case.ts';
import type { SignalKind } from './weighing/signal.ts';

type Attack = CrossExamination['attacks'][number];

/** The attacks that were made, none when the dissent was not heard. */
export function listDissent(transcript: Transcript): readonly Attack[] {
  const turn = findLastTurn(transcript, documentSpeakers.dissenting);
  return turn && !turn.fallback ? turn.answer.attacks : [];
}

/** Numbers that conflict, passages that say otherwise, what is missing, and what is made of too little. */
export async function answerDissenting(question: Question<DocumentCaseFile>): Promise<CrossExamination> {
  const reading = readClaimCase(question);
  const attacks = [
    ...attackNumbers(reading),
    ...attackSignals(reading),
    ...attackCause(reading),
    ...attackMissingMargin(reading),
  ].slice(0, 6);
  const all = attacks.length > 0 ? attacks : attackThinCase(reading);
  const grave = all.filter(({ kind }) => kind === 'contradiction').length;
  const statement =
    grave > 0
      ? `${grave === 1 ? 'One point' : `${grave} points`} of the document ${grave === 1 ? 'speaks' : 'speak'} ` +
        `against the claim. ${all[0]!.point}`
      : all.length > 0
        ? all[0]!.point
        : 'I find nothing to hold against the claim.';
  return { statement, attacks: all, score: Math.min(1 - reading.score, grave > 0 ? 1 : 0.5) };
}

function attackNumbers({ conflicts, caseFile }: ClaimReading): Attack[] {
  return conflicts
    .slice(0, 3)
    .map(({ statement, arithmetic }) =>
      makeAttack('contradiction', `${statement} ${arithmetic}`, { evidence: selectQuotable([statement], caseFile) }),
    );
}

const kinds: Record<SignalKind, Attack['kind']> = {
  name: 'missing-data',
  date: 'missing-data',
  number: 'missing-data',
  'far-number': 'fallacy',
  negation: 'contradiction',
  opposite: 'contradiction',
  absolute: 'fallacy',
  table: 'contradiction',
  derived: 'fallacy',
};

function attackSignals({ against, caseFile }: ClaimReading): Attack[] {
  // What the claim itself says in its own sentence is not missing.
  const fair = caseFile.claim.origin
    ? against.filter(({ kind }) => kind === 'opposite' || kind === 'absolute' || kind === 'table')
    : against;
  return fair.map(({ kind, why, quotes, missing }) => {
    const absent = kinds[kind] === 'missing-data';
    const premise = kind === 'absolute' ? 1 : 0;
    const point = kind === 'table' ? `In the table, ${why}.` : why;
    return makeAttack(kinds[kind], point, {
      premise,
      ...(absent ? { missing: [...missing] } : { evidence: [...quotes] }),
    });
  });
}

/** Another cause that the document names for the same effect; else a cause that nothing else speaks of. */
function attackCause({ causes }: ClaimReading): Attack[] {
  if (!causes) return [];
  const [other] = causes.alternatives;
  if (other !== undefined) {
    const point = `The document names another cause for the same: ${quoted(other)}.`;
    return [makeAttack('alternative-explanation', point, { evidence: [...causes.alternatives] })];
  }
  if (causes.backing.length > 0) return [];
  const point = 'The cause is named, but no other passage ties it to the effect: other causes are not ruled out.';
  return [makeAttack('alternative-explanation', point)];
}

/** Growth without the margin is half of a story; where the document has the margin, code strikes this. */
function attackMissingMargin({ caseFile }: ClaimReading): Attack[] {
  if (
    !/\b(?:revenues?|sales|turnover)\b/i.test(caseFile.claim.text) ||
    !/\b(?:gr[eo]w\w*|increas\w+|rose|ris\w+|up|improv\w+|strong\w*|record)\b/i.test(caseFile.claim.text)
  )
    return [];
  const missing = ['profit margin', 'operating margin', 'gross margin'];
  return [makeAttack('missing-data', 'Growth of revenue is told without the profit margin.', { missing })];
}

function attackThinCase({ support }: ClaimReading): Attack[] {
  if (support.length === 0)
    return [makeAttack('fallacy', 'The claim is asserted without any passage that bears it out.')];
  const point =
    support.length === 1
      ? 'The case rests on one passage alone.'
      : 'The passages are near to the claim; that they carry all of it is an inference.';
  return [makeAttack('fallacy', point, { premise: 1 })];
}

function makeAttack(kind: Attack['kind'], point: string, rest: Partial<Attack> = {}): Attack {
  return { premise: 0, kind, point, evidence: [], missing: [], ...rest };
}
