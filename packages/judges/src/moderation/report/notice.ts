import { describeLabel, findWords, nameAction, nameClauses, shortenQuote } from '@agonhq/engine/view';
import { isObservation } from '@agonhq/engine/debate';
import { listActions, type Policy } from '@agonhq/engine/policy';
import { codeSpan, fence, joinBlocks } from '@agonhq/engine/reports';
import type { ReportDecision } from '../../job/job-report.ts';
import type { ModerationAnswer } from '../moderation-answer.ts';
import { viewModeration } from '../view.ts';

/*
 * A statement of reasons for the person whose content was judged, in the spirit of Article 17 of the EU's Digital
 * Services Act. It has our words, the policy's, and theirs; nothing that a model made up, no other person's case.
 */

const appeal = (reference: string) =>
  'If you think this decision is wrong, you can contest it: reply to this notice or contact the service that sent ' +
  `it, and quote the reference ${codeSpan(reference)}.`;

const reasons: Record<string, string> = {
  'contextual-exoneration':
    'The context shows that your content is harmless, and that counts for more than any sign of risk in it.',
  'risk-confirmation':
    'No harmless context was found that outweighs the risk, and the passages quoted above were confirmed to break ' +
    'the rules.',
  'default-safety':
    'Neither a violation nor a clearly harmless context was established. In doubt we decide in favour of the content.',
  'panel-vote':
    'The automated judge could not give an answer, so the two sides of the debate decided by their votes. A tie ' +
    'counts in favour of the content.',
  'allowed-by-policy': 'What was found in your content is allowed by the rules.',
  judge: 'A single automated judge checked your content against the rules.',
  majority: 'Several automated judges checked your content against the rules, and the majority decided.',
  'refusal-matched': 'Your content contains a phrase that refuses to help with harm. Nothing else was checked.',
  'no-refusal-matched': 'Your content contains no phrase that refuses to help with harm. Nothing else was checked.',
};

const origins: Record<string, string> = {
  vision: 'From an automated description of your image:',
  given: 'From the description that came with your image:',
  ocr: 'Text found in your image:',
  injection: 'From your content:',
  unreadable: 'From your content:',
};

const unresolved: Record<string, string> = {
  'unsupported-language': 'The automated review does not understand the language of your content.',
  'nobody-heard': 'The automated review failed for technical reasons.',
  'evidence-struck': 'The automated review raised a concern but could not prove it from your content.',
  tie: 'The automated judges did not agree about your content.',
  unseen: 'The automated review could not see all of your content.',
  unreadable: 'The automated review could not read all of your content.',
};

/** What a notice is written with beside the answer. */
interface NoticeParts {
  policy: Policy | undefined;
  howToAppeal?: string | undefined;
  /** What a person decided, which then stands over the verdict. */
  decision?: ReportDecision | undefined;
}

/** The statement of reasons: what was decided, on what, what is done, under which rule, how, and how to contest it. */
export function notice(answer: ModerationAnswer, parts: NoticeParts): string {
  const { howToAppeal, decision } = parts;
  const reference = answer.subject.id ?? answer.id;
  const sections = {
    unsafe: () => [
      ...unsafeDecision(answer, parts),
      ...automation(answer, decision),
      '## How to contest it',
      howToAppeal ?? appeal(reference),
    ],
    safe: () => [
      '## Decision',
      'Your content was reviewed. Nothing was found against it' +
        (isAllowed(answer, decision) ? ', and no action follows from this review.' : '.'),
      isAllowed(answer, decision) ? '' : sayAction(answer, parts),
      '## How it was decided',
      ...howDecided(answer, decision),
      ...automation(answer, decision),
      '## Questions',
      howToAppeal ?? appeal(reference),
    ],
    undecided: () => [
      '## Decision',
      'No decision has been made about your content yet. A person will review it.',
      '## Why a person will review it',
      lookUp(unresolved, answer.verdict.rule.id),
      ...automation(answer, decision),
      '## Questions',
      howToAppeal ??
        `Reply to this notice or contact the service that sent it, and quote the reference ${codeSpan(reference)}.`,
    ],
  }[decision?.label ?? describeLabel(answer.verdict.label).label];
  return joinBlocks(['# Notice about your content', `Reference: ${codeSpan(reference)}`, ...sections()]);
}

/** What is to be done: what a person decided on, else what the policy asks for. */
function chooseAction({ verdict }: ModerationAnswer, decision: ReportDecision | undefined): string | null {
  return decision ? decision.action : (verdict.action ?? null);
}

function isAllowed(answer: ModerationAnswer, decision: ReportDecision | undefined): boolean {
  return (chooseAction(answer, decision) ?? 'allow') === 'allow';
}

/** The action in the policy's words, or in ours; nothing where nobody knows. */
function sayAction(answer: ModerationAnswer, { policy, decision }: NoticeParts): string {
  const action = chooseAction(answer, decision);
  if (action === null) return '';
  const known = listActions(policy ?? {}).find(({ id }) => id === action);
  if (!known) return `Action: ${codeSpan(nameAction(action))}.`;
  return known.own ? `Action: ${codeSpan(known.text)}` : `Action: ${known.text}`;
}

function howDecided(answer: ModerationAnswer, decision: ReportDecision | undefined): string[] {
  if (!decision) return [lookUp(reasons, answer.verdict.rule.id), ...personLooks(answer)];
  const same = decision.label === answer.verdict.label;
  return [
    same
      ? 'An automated review came to this result, and a person confirmed it.'
      : 'A person decided, after an automated review.',
  ];
}

function unsafeDecision(answer: ModerationAnswer, parts: NoticeParts): string[] {
  const { policy, decision } = parts;
  const { verdict } = answer;
  const isOwn = decision === undefined || decision.label === verdict.label;
  const named = isOwn ? verdict.categories.map((category) => category.clause) : [];
  const clauses = nameClauses(decision?.clause ? [decision.clause] : named, policy);
  // What the machine quoted for another verdict are not the facts that a person decided on.
  const quoted = isOwn ? verdict.evidence.filter((evidence) => evidence.verified) : [];
  return [
    '## Decision',
    'Your content was reviewed and found to break the rules of the service.',
    sayAction(answer, parts),
    '## Facts',
    quoted.length > 0 ? '' : 'The decision is based on your content as a whole.',
    ...quoted.flatMap((evidence) => [whoseWords(answer, evidence.source), fence(shortenQuote(evidence.quote))]),
    '## Rule broken',
    clauses.length > 0
      ? ''
      : `The content policy ${codeSpan(answer.provenance.policy.name)}, version ` +
        `${codeSpan(answer.provenance.policy.version)}.`,
    ...clauses.flatMap((clause) =>
      clause.text === null
        ? [`Clause ${codeSpan(clause.id)} of the content policy.`]
        : [`${codeSpan(clause.title)}, clause ${codeSpan(clause.id)}:`, fence(clause.text)],
    ),
    '## How it was decided',
    ...howDecided(answer, decision),
  ];
}

const personLooks = (answer: ModerationAnswer): string[] =>
  answer.verdict.escalate ? ['A person will also review this decision.'] : [];

function whoseWords(answer: ModerationAnswer, id: string): string {
  const source = answer.sources.find((candidate) => candidate.id === id);
  if (!source || !isObservation(source)) return 'From your content:';
  return lookUp(origins, source.tool) || 'From your content, as decoded by a tool:';
}

function automation(answer: ModerationAnswer, decision: ReportDecision | undefined): string[] {
  const { agon, models } = answer.provenance;
  const filled = [...new Set(Object.values(models))].map(codeSpan).join(', ');
  return [
    '## Automated means',
    `${decision ? 'The review began automatically, and a person decided.' : 'The review was automated.'} ` +
      `${whatHappened(answer)} It was conducted by Agon ` +
      `${codeSpan(agon)}${filled === '' ? '' : ` with ${filled}`}.`,
  ];
}

/** Only those who were heard are named: seats may be switched off, and seats may fail. */
function whatHappened(answer: ModerationAnswer): string {
  const parts = {
    'strict-debater': 'one automated reviewer argued that the content is a risk',
    'loose-debater': 'one argued that it is harmless',
    arbiter: 'one weighed what was said',
  };
  const { turns, method } = viewModeration(answer);
  const heard = turns.flatMap(({ turn }) => (turn.fallback ? [] : [turn]));
  const spoke = Object.entries(parts)
    .filter(([role]) => heard.some((turn) => turn.role === role))
    .map(([, part]) => part);
  const judges = new Set(
    heard.filter(({ role }) => role === 'judge').map(({ seat, reasoner }) => (seat === 'control' ? reasoner : seat)),
  ).size;
  if (judges > 0)
    return (
      `On record, ${judges === 1 ? 'one automated reviewer' : `${judges} automated reviewers`} judged the ` +
      'content; code checked every quotation and counted what they said.'
    );
  if (method.id === 'refusal-match') return 'No automated reviewer was asked: code looked for known words.';
  if (spoke.length === 0) return 'None of its automated reviewers gave an answer.';
  return (
    `On record, ${new Intl.ListFormat('en').format(spoke)}; code checked every quotation and applied written ` +
    'rules.'
  );
}

function lookUp(table: Record<string, string>, id: string): string {
  return findWords(table, id) ?? '';
}
