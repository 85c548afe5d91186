import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { readPages } from '../async-items.ts';
import { unknownCase } from '../retrials/find-case.ts';
import type { Case, Ledger, RecordOptions } from '@agonhq/ledger';
import type { Jobs } from '@agonhq/judges/job';
import { actionOf, findClause, isAllowed, listActions, policyOnRecord } from '@agonhq/engine/policy';

/** What somebody says the truth of a case is. */
export interface Feedback {
  case: string;
  label: 'safe' | 'unsafe';
  why?: string;
  clause?: string;
  /** What is to be done; by default what the policy asks for. */
  action?: string;
  /** Who says so; `feedback` when nobody is named. */
  by?: string;
}

/** A truth on record, beside the verdict it is about. */
export interface GivenFeedback {
  case: string;
  /** What whoever sent it calls it; null where they call it nothing, and where it was forgotten. */
  item: string | null;
  label: 'safe' | 'unsafe';
  verdict: string;
  /** Whether the verdict was right; one that decided nothing was not. */
  right: boolean;
  /** Those that it breaks: what was said, else those of a verdict that is right. */
  clauses: readonly string[];
  /** What is to be done; null where nobody said and nothing follows. */
  action: string | null;
  /** What the verdict proposed; null where it proposed nothing. */
  proposed: string | null;
  by: string;
  decision: string;
  /** It was on record already. */
  repeated: boolean;
}

/** Records the truth of a past verdict. The same twice is recorded once. */
export async function giveFeedback(
  jobs: Jobs,
  ledger: Ledger,
  feedback: Feedback,
  options: RecordOptions = {},
): Promise<GivenFeedback> {
  return record(jobs, ledger, await checked(jobs, ledger, feedback), feedback, options);
}

const lineSchema = z
  .object({
    case: z.string().min(1).optional(),
    subject: z.string().min(1).optional(),
    label: z.enum(['safe', 'unsafe']),
    why: z.string().nullish(),
    clause: z.string().nullish(),
    action: z.string().nullish(),
    by: z.string().min(1).nullish(),
  })
  .refine(
    (line) => (line.case === undefined) !== (line.subject === undefined),
    'give "case" (an id) or "subject" (its hash or its text), one of them',
  );

export const feedbackExample = '{"case":"mod-…","label":"safe","why":"…"}';

/** Records the truths of a file, all or nothing: a bad line is named, and nothing was written. */
export async function importFeedback(
  jobs: Jobs,
  ledger: Ledger,
  lines: AsyncIterable<string> | Iterable<string>,
  { name, by, ...options }: { name: string; by?: string } & Pick<RecordOptions, 'secondReview'>,
): Promise<GivenFeedback[]> {
  const checkedLines: { found: Case; feedback: Feedback }[] = [];
  const said = new Map<string, { label: string; line: number }>();
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const place = `Line ${number} of ${name}`;
    const { case: id, subject, label, why, clause, action, by: own } = readLine(line, place);
    const ids = id === undefined ? await casesOf(jobs, ledger, subject!, place) : [id];
    for (const caseId of ids) {
      const before = said.get(caseId);
      if (before && before.label !== label)
        throw badLine(
          `${place} says that ${caseId} is ${label}, and line ${before.line} that it is ${before.label}.`,
          'Leave one of them out.',
        );
      if (before) continue;
      said.set(caseId, { label, line: number });
      const feedback: Feedback = {
        case: caseId,
        label,
        ...(why ? { why } : {}),
        ...(clause ? { clause } : {}),
        ...(action ? { action } : {}),
        by: own ?? by,
      };
      checkedLines.push({ feedback, found: await atPlace(place, checked(jobs, ledger, feedback)) });
    }
  }
  const given: GivenFeedback[] = [];
  // Together, so that one commit serves many.
  for (let at = 0; at < checkedLines.length; at += 64) {
    given.push(
      ...(await Promise.all(
        checkedLines.slice(at, at + 64).map(({ found, feedback }) => record(jobs, ledger, found, feedback, options)),
      )),
    );
  }
  return given;
}

async function record(
  jobs: Jobs,
  ledger: Ledger,
  found: Case,
  feedback: Feedback,
  options: RecordOptions,
): Promise<GivenFeedback> {
  const { label, why, clause, by = 'feedback' } = feedback;
  const action = chooseAction(found, feedback);
  const judged = found.answer ? jobs.require(found.job).summarize(found.answer) : null;
  const own = clause === undefined ? (found.label === label ? (judged?.categories ?? []) : []) : [clause];
  const known = new Set((await ledger.decisions.listDecisions(found.id)).map(({ id }) => id));
  const decision = await ledger.decisions.recordDecision(
    { case: found.id, label, why: why?.trim() || null, clause: clause ?? null, action, by },
    options,
  );
  return {
    case: found.id,
    item: judged?.item ?? null,
    label,
    verdict: found.label!,
    right: found.label === label,
    clauses: label === 'safe' ? [] : [...new Set(own)],
    action: decision.action,
    proposed: found.action,
    by,
    decision: decision.id,
    repeated: known.has(decision.id),
  };
}

/** What was said; else what the policy asks for: it allows what is safe, and has an action for each clause. */
function chooseAction(found: Case, { label, clause, action }: Feedback): string | null {
  if (action !== undefined) return action;
  if (label === 'safe') return 'allow';
  const named = clause === undefined ? undefined : findClause(policyOnRecord(found.policy.document), clause)?.clause;
  if (named && !isAllowed(named)) return actionOf(named);
  return found.label === label ? found.action : null;
}

async function checked(jobs: Jobs, ledger: Ledger, { case: id, clause, action }: Feedback): Promise<Case> {
  const found = await ledger.cases.findCase(id);
  if (!found) throw unknownCase(ledger, id);
  const { usesPolicy, subject } = jobs.require(found.job);
  if (!usesPolicy)
    throw new AgonError(
      'other-job',
      `${id} judged ${subject}, which ${subject.endsWith('s') ? 'are' : 'is'} neither safe nor unsafe.`,
      `Feedback is for ${jobs
        .list()
        .filter((job) => job.usesPolicy)
        .map((job) => job.id)
        .join(' and ')}.`,
    );
  if (found.label === null)
    throw new AgonError(
      'unfinished-case',
      `Case ${id} has no verdict yet.`,
      'Judge the same content again: the trial goes on where it stopped.',
    );
  if (clause !== undefined && !findClause(policyOnRecord(found.policy.document), clause)) {
    throw new AgonError('unknown-clause', `The policy that ${id} was judged by has no clause ${clause}.`, {
      library: 'Name a clause of that policy.',
      cli: '`agon policy show` lists the clauses.',
      api: 'GET /api/policies/{hash} shows its clauses.',
    });
  }
  if (action !== undefined) assertAction(found, action);
  return found;
}

function assertAction({ id, policy }: Case, action: string): void {
  const known = listActions(policyOnRecord(policy.document)).map((one) => one.id);
  if (known.includes(action)) return;
  throw new AgonError(
    'unknown-action',
    `The policy that ${id} was judged by has no action ${JSON.stringify(action)}.`,
    `Its actions are ${known.join(', ')}.`,
  );
}

/** The cases in which this was judged: it is named by its hash, or by the text itself. */
async function casesOf(jobs: Jobs, ledger: Ledger, subject: string, place: string): Promise<string[]> {
  const isHash = /^sha256:[0-9a-f]{64}$/.test(subject);
  const ids: string[] = [];
  for (const hash of isHash ? [subject] : jobs.listLearning().map(({ learning }) => learning.hashText(subject)))
    for await (const { id } of readPages((after) =>
      ledger.cases.listCases({ subject: hash, finished: true }, { after }),
    ))
      ids.push(id);
  if (ids.length === 0)
    throw badLine(
      `${place}: nothing was judged that is ${isHash ? subject : 'this text'}.`,
      'Name the case by its id, or judge it first.',
    );
  return ids;
}

function readLine(line: string, place: string): z.infer<typeof lineSchema> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw badLine(
      `${place} is not JSON: ${(error as Error).message}.`,
      `Each line is one JSON object, for example ${feedbackExample}.`,
    );
  }
  const parsed = lineSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue!.path.join('.');
  throw badLine(
    `${place} is no feedback: ${field === '' ? '' : `${field}: `}${issue!.message}.`,
    `A line is for example ${feedbackExample}.`,
  );
}

async function atPlace<Value>(place: string, work: Promise<Value>): Promise<Value> {
  return work.catch((error: unknown) => {
    if (!AgonError.is(error)) throw error;
    throw badLine(`${place}: ${error.message}`, error.hint);
  });
}

function badLine(message: string, hint: string): AgonError {
  return new AgonError('bad-feedback', message, `${hint} Nothing was recorded.`);
}
