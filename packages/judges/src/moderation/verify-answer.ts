import {
  checkQuotes,
  checkSeal,
  checkThat,
  checkVerdict,
  rereadTurns,
  type Answer,
  type Check,
  type Transcript,
} from '@agonhq/engine/debate';
import { sha256 } from '@agonhq/engine/hash';
import type { Policy } from '@agonhq/engine/policy';
import { adjudicateContent } from './adjudicate.ts';
import { readModality, type ModerationCaseFile } from './case-file.ts';
import { hashSubject } from './moderate.ts';
import { moderationAnswerSchema, type ModerationAnswer } from './moderation-answer.ts';
import { methodOf, moderationMethods } from './plan.ts';
import { moderationRoles } from './protocol.ts';

/**
 * Rechecks an answer by code alone: its seal, the hash of what was judged, every quotation, and the rules applied
 * anew to the arbiter's findings or to the votes. `source` is the text or an image that was judged, when the caller
 * has it; `policy` the rulebook.
 */
export function verifyAnswer(answer: Answer, known: { source?: string | Uint8Array; policy?: Policy }): Check[] {
  const checks = [checkSeal(answer), checkQuotes(answer)];
  if (answer.job !== 'moderation') return checks;
  if (!moderationAnswerSchema.shape.subject.safeParse(answer.subject).success)
    return [...checks, checkThat('subject', false, 'what was judged is not readable')];
  const judged = answer as ModerationAnswer;
  return [
    ...checks,
    checkSubject(judged),
    ...(known.source === undefined ? [] : [checkSource(judged, known.source)]),
    ...checkRules(judged, known.policy),
  ];
}

function checkSubject(answer: ModerationAnswer): Check {
  const text = answer.sources.find((source) => source.id === 'text')?.text;
  const given = answer.subject.images.filter(({ frame }) => frame === undefined);
  const images = given.map(
    (image) => image.hash ?? answer.sources.find((source) => source.id === `${image.id}/description`)?.text ?? '',
  );
  const recordings = (answer.subject.recordings ?? []).map(({ hash }) => hash);
  const right = hashSubject(text, images, recordings) === answer.subject.hash;
  return checkThat(
    'subject',
    right,
    right ? answer.subject.hash : 'the content in the answer is not the content that was judged',
  );
}

function checkSource(answer: ModerationAnswer, source: string | Uint8Array): Check {
  const judged = answer.sources.find(({ id }) => id === 'text')?.text;
  const text = typeof source === 'string' ? source : new TextDecoder().decode(source);
  if (judged === text || judged === text.replace(/\r?\n$/, ''))
    return checkThat('source', true, 'the file holds the text that was judged');
  const { images, recordings = [] } = answer.subject;
  const found = [...images, ...recordings].find(({ hash }) => hash === sha256(source));
  const kind = found && 'kind' in found ? 'recording' : 'image';
  return checkThat(
    'source',
    found !== undefined,
    found ? `the file is the ${kind} that was judged as ${found.id}` : 'the file does not hold what was judged',
  );
}

function checkRules(answer: ModerationAnswer, policy: Policy | undefined): Check[] {
  const reread = rereadTurns(answer.transcript, answer.sources, Object.values(moderationRoles));
  if ('problem' in reread) return [checkThat('rules', false, reread.problem)];
  const method = methodOf(answer.provenance);
  if (!moderationMethods.includes(method)) return [checkThat('rules', false, 'how it was judged is not readable')];

  const { sources, subject, provenance } = answer;
  const caseFile: ModerationCaseFile = {
    sources,
    modality: readModality({ sources, images: subject.images }),
    images: subject.images,
  };
  const parts = {
    policy: policy ?? { name: '', version: '', hash: '', categories: [] },
    calibration: provenance.calibration ?? null,
    method,
  };
  // Adjudication saw the debate, not the preprocessor's turns before it.
  const decide = (transcript: Transcript) =>
    adjudicateContent(
      transcript.filter((entry) => entry.kind !== 'turn' || entry.role !== moderationRoles.preprocessor.id),
      caseFile,
      parts,
    );
  // The rules find every quote anew; what was degraded follows from the turns as they are on record.
  const again = { ...decide(reread.transcript), degraded: decide(answer.transcript).degraded };
  return checkVerdict(answer, again, { policy });
}
