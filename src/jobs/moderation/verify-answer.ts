import { checkThat, checkQuotes, checkSeal, findTurns, type Answer, type Check } from '../../debate/index.ts';
import { canonicalJson, sha256 } from '../../hash.ts';
import type { Policy } from '../../policy/index.ts';
import { adjudicate } from './adjudicate.ts';
import { argumentSchema, findingsSchema, opinionSchema } from './answers.ts';
import type { ModerationCaseFile } from './case-file.ts';
import { subjectHash, type ModerationAnswer } from './moderate.ts';
import { judgesIn } from './opinions.ts';
import { methodOf, moderationMethods } from './plan.ts';
import { subjectSchema } from './subject.ts';

/**
 * Rechecks an answer by code alone: its seal, the hash of what was judged, every quotation, and the rules applied
 * anew to the arbiter's findings or to the votes. `source` is the text or an image that was judged, when the caller
 * has it; `policy` the rulebook.
 */
export function verifyAnswer(answer: Answer, known: { source?: string | Uint8Array; policy?: Policy }): Check[] {
  const checks = [checkSeal(answer), checkQuotes(answer)];
  if (answer.job !== 'moderation') return checks;
  if (!subjectSchema.safeParse(answer.subject).success)
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
  const images = answer.subject.images.map(
    (image) => image.hash ?? answer.sources.find((source) => source.id === `${image.id}/description`)?.text ?? '',
  );
  const right = subjectHash(text, images) === answer.subject.hash;
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
  const image = answer.subject.images.find(({ hash }) => hash === sha256(source));
  return checkThat(
    'source',
    image !== undefined,
    image ? `the file is the image that was judged as ${image.id}` : 'the file does not hold what was judged',
  );
}

function checkRules(answer: ModerationAnswer, policy: Policy | undefined): Check[] {
  const arbiter = findTurns(answer.transcript).find((turn) => turn.role === 'arbiter' && !turn.fallback);
  if (arbiter && !findingsSchema.safeParse(arbiter.answer).success)
    return [checkThat('rules', false, "the arbiter's findings are not readable")];
  const debaters = findTurns(answer.transcript).filter((turn) => turn.role.endsWith('-debater'));
  if (debaters.some((turn) => !argumentSchema.safeParse(turn.answer).success))
    return [checkThat('rules', false, "a debater's argument is not readable")];
  const unreadable = judgesIn(answer.transcript).find((turn) => !opinionSchema.safeParse(turn.answer).success);
  if (unreadable) return [checkThat('rules', false, `the answer of ${unreadable.key} is not readable`)];
  const method = methodOf(answer.provenance);
  if (!moderationMethods.includes(method)) return [checkThat('rules', false, 'how it was judged is not readable')];

  const caseFile: ModerationCaseFile = {
    sources: answer.sources,
    modality: answer.subject.modality,
    images: answer.subject.images,
  };
  // Adjudication saw the debate, not the preprocessor's turns before it.
  const debate = answer.transcript.filter((entry) => entry.kind !== 'turn' || entry.role !== 'preprocessor');
  const again = adjudicate(
    debate,
    caseFile,
    policy ?? { name: '', version: '', hash: '', categories: [] },
    answer.provenance.calibration,
    method,
  );
  const same = (...keys: (keyof ModerationAnswer['verdict'])[]) =>
    keys.every((key) => canonicalJson(again[key]) === canonicalJson(answer.verdict[key]));

  const right = same('label', 'rule', 'score', 'probability', 'confidence', 'evidence');
  const rules = checkThat('rules', right, `${right ? '' : 'applied anew, '}${again.rule.id} decides: ${again.label}`);
  if (policy?.hash !== answer.provenance.policy.hash) {
    const { name, version, hash } = answer.provenance.policy;
    return [
      rules,
      {
        name: 'clauses',
        outcome: 'not-checked',
        detail: `made under ${name} ${version} (${hash}): pass it with --policy`,
      },
    ];
  }
  const clauses = same('categories');
  const marks = same('escalate', 'degraded');
  return [
    rules,
    checkThat(
      'clauses',
      clauses,
      clauses ? `${again.categories.length} clause(s) of the policy` : 'the clauses are not the ones the policy has',
    ),
    checkThat(
      'marks',
      marks,
      marks
        ? 'escalation and degradations follow from the debate'
        : 'escalation or degradations are not those of the debate',
    ),
  ];
}
