import { type Retrial, appeal, findCase, requireJudgedCase, replay } from '../../retrials/index.ts';
import { type TrialEvent, recreateEvents } from '../trials/trial-events.ts';
import type { OwnJobId as Job } from '../../jobs/index.ts';
import type { CaseRow } from '../../api/index.ts';
import { AgonError } from '../../errors.ts';
import { giveFeedback } from '../../learning/index.ts';
import type { AttachmentRow, Case, CaseFilter, CaseSummary, Decision, Ledger } from '../../ledger/index.ts';
import { hashOf } from '../../hash.ts';
import { hasScope, reviewerName } from '../auth/principal.ts';
import { groupOf, type Answered, hearAs, type Trial } from '../trials/run-trial.ts';
import type { GroupOf, Handlers, Request } from '../handler.ts';
import type { ServerContext } from '../server-context.ts';
import { findResumePosition } from '../trials/resume-position.ts';
import { replyWithFile, replyWithEvents, type SentEvent } from '../reply.ts';
import { findPolicy } from '../policies/find-policy.ts';
import { renderCaseReport } from '../cases/render-case-report.ts';
import { embedText } from '../../reasoners/index.ts';
import { findSimilarCases } from '../cases/similar-cases.ts';

/** Cases about alike content. */
export const similarHandlers: Handlers<'cases.similar'> = {
  async 'cases.similar'({ params, query, signal }, { ledger, longReads: reads }) {
    const found = await findCase(ledger, params.id);
    if (!found) throw new AgonError('unknown-case', `There is no case ${params.id}.`, 'GET /api/cases lists them.');
    if (found.forgottenAt !== null || found.excerpt === null)
      throw new AgonError(
        'forgotten-case',
        `What case ${found.id} judged was forgotten.`,
        'Without its content nothing can be compared with it.',
      );
    const { rows, compared } = await reads.take(
      () => findSimilarCases(ledger, found, { limit: query.limit, embed: embedText }),
      signal,
    );
    return { rows: rows.map(({ similarity, ...summary }) => ({ ...rowOf(summary), similarity })), compared };
  },
};

interface GroupOfJob {
  moderation: 'moderations';
  evaluation: 'evaluations';
  documents: 'analyses';
}
type CaseGroup = GroupOfJob[Job];
type Verb = 'list' | 'get' | 'events' | 'report' | 'feedback' | 'replay' | 'appeal' | 'forget';
type OfCases = Handlers<
  Exclude<`${CaseGroup}.${Verb}`, 'analyses.feedback'> | Exclude<GroupOf<'cases'>, 'cases.similar'>
>;

/** What every case can be asked for, whatever its job. */
export const caseHandlers: OfCases = {
  ...casesOf('moderation'),
  ...casesOf('evaluation'),
  ...casesOf('documents'),

  'cases.list': ({ query: { job, ...query } }, context) => page(context.ledger, query, job),

  async 'cases.get'({ params }, { ledger, trials }) {
    const found = await onRecord(ledger, params.id);
    const [decisions, retrials] = await Promise.all([
      ledger.decisions.listDecisions(found.id),
      ledger.cases.listCases({ again: found.id }, { limit: 200 }),
    ]);
    const { policy, content, attachments, answer } = found;
    return {
      ...rowOf(found),
      policy: { name: policy.name, version: policy.version, hash: policy.hash },
      content,
      attachments: [...attachments],
      answer,
      decisions: decisions.map(decisionRow),
      retrials: retrials.rows.map(rowOf),
      live: isLive(found.id, trials),
    };
  },

  async 'cases.stop'({ params }, { ledger, trials }) {
    const { id } = await onRecord(ledger, params.id);
    const live = isLive(id, trials);
    if (live) trials.findByCase(id)!.stop();
    return { case: id, stopped: live };
  },

  async 'cases.attachments'({ params }, { ledger }) {
    return { rows: await attachmentsOf(ledger, params.id) };
  },

  async 'cases.attachment'({ params }, { ledger }) {
    const isOfCase = (await attachmentsOf(ledger, params.id)).some(({ hash }) => hash === params.hash);
    const found = isOfCase ? await ledger.attachments.findAttachment(params.hash) : undefined;
    if (!found)
      throw new AgonError(
        'unknown-attachment',
        `Case ${params.id} has no image or document ${params.hash}.`,
        'GET /api/cases/{id}/attachments names them.',
      );
    return replyWithFile(found.data, found.mediaType);
  },
};

function casesOf<Of extends Job>(job: Of) {
  const group = groupOf[job];
  const made: Handlers<`moderations.${Verb}`> = {
    'moderations.list': ({ query }, { ledger }) => page(ledger, query, job),

    async 'moderations.get'({ params }, { ledger }) {
      return answerOf(await ofJob(ledger, params.id, job));
    },

    async 'moderations.events'({ params }, { ledger, trials }) {
      const live = trials.findByCase(params.id);
      if (live) return replyWithEvents((options) => live.subscribe(options));
      const told = recreateEvents(answerOf(await ofJob(ledger, params.id, job)));
      return replyWithEvents(({ after }) => fromRecord(told, after));
    },

    async 'moderations.report'({ params, query }, { ledger }) {
      const found = await ofJob(ledger, params.id, job);
      answerOf(found);
      return renderCaseReport(found, query.format, ledger);
    },

    async 'moderations.feedback'(request, context) {
      const { id } = await ofJob(context.ledger, request.params.id, job);
      const { by = 'feedback', ...given } = request.body;
      const decided = await giveFeedback(
        context.ledger,
        { case: id, ...given, by: reviewerName(request.principal) ?? by },
        {
          secondReview: context.settings.server?.secondReview,
          onceAt: hasScope(request.principal, 'admin') ? [] : ['dispute'],
        },
      );
      if (!decided.repeated)
        context.feed.publish({
          type: 'decision',
          at: new Date().toISOString(),
          case: id,
          label: decided.label,
          verdict: decided.verdict,
          by: decided.by,
        });
      return decided;
    },

    async 'moderations.replay'(request, context) {
      const { id } = await requireJudgedCase(context.ledger, (await ofJob(context.ledger, request.params.id, job)).id);
      const { withoutPrecedents, policy, seats } = request.body;
      if ([withoutPrecedents, policy, seats].filter((part) => part !== undefined).length > 1)
        throw new AgonError(
          'two-changes',
          'More than one thing is changed.',
          'Change one thing at a time: what flips the verdict is then known.',
        );
      const change = {
        withoutPrecedent: withoutPrecedents,
        policy: policy === undefined ? undefined : await findPolicy(policy, context),
        seats,
      };
      return heldAgain(
        request,
        context,
        job,
        ['replay', id, change.policy?.hash, withoutPrecedents, seats],
        (signal, stream) =>
          replay(context.ledger, id, change, options(context, signal, stream)) as AsyncGenerator<
            TrialEvent,
            Retrial,
            void
          >,
      );
    },

    async 'moderations.appeal'(request, context) {
      const { id } = await requireJudgedCase(context.ledger, (await ofJob(context.ledger, request.params.id, job)).id);
      return heldAgain(
        request,
        context,
        job,
        ['appeal', id, request.body],
        (signal, stream) =>
          appeal(context.ledger, id, { ...request.body, ...options(context, signal, stream) }) as AsyncGenerator<
            TrialEvent,
            Retrial,
            void
          >,
      );
    },

    async 'moderations.forget'({ params }, { ledger, trials }) {
      const found = await ofJob(ledger, params.id, job);
      const cases = await ledger.cases.forgetSubject(found.subject);
      trials.forgetEnded();
      return { case: found.id, cases };
    },
  };
  // The three groups differ in their names and in the schemas of their answers only.
  return Object.fromEntries(
    Object.entries(made).map(([id, handler]) => [id.replace('moderations', group), handler]),
  ) as unknown as Handlers<Exclude<`${GroupOfJob[Of]}.${Verb}`, 'analyses.feedback'>>;
}

function options({ settings, agons, environment }: ServerContext, signal: AbortSignal, stream: boolean) {
  return { settings, parts: { pool: agons.pool, environment }, signal, stream };
}

function heldAgain(
  request: Pick<Request<'moderations.replay'>, 'signal' | 'wantsEvents'>,
  context: ServerContext,
  job: Job,
  about: readonly unknown[],
  hold: Trial<object>['hold'],
) {
  // Made again, it is recalled: there is no place of its own to send anybody to.
  return hearAs(request, context, { job, key: hashOf(about.map((part) => part ?? null)), hold }, () => null);
}

/** Where the ledger lies is not for those who ask over HTTP. */
async function onRecord(ledger: Ledger, id: string): Promise<Case> {
  const found = await findCase(ledger, id);
  if (found) return found;
  throw new AgonError('unknown-case', `There is no case ${id}.`, 'GET /api/cases lists them.');
}

/**
 * The case itself, which may be large, is read only where it has none, or its id is not whole: a PDF is asked for in
 * many parts.
 */
async function attachmentsOf(ledger: Ledger, id: string): Promise<AttachmentRow[]> {
  const rows = await ledger.cases.listAttachments(id);
  return [...(rows.length > 0 ? rows : (await onRecord(ledger, id)).attachments)];
}

async function ofJob(ledger: Ledger, id: string, job: Job): Promise<Case> {
  const found = await onRecord(ledger, id);
  if (found.job === job) return found;
  throw new AgonError(
    'unknown-case',
    `${found.id} is a case of ${found.job}.`,
    `Ask for it under /api/${groupOf[found.job as Job]}.`,
  );
}

function answerOf({ id, answer, forgottenAt }: Case): Answered {
  if (answer !== null) return answer as unknown as Answered;
  if (forgottenAt !== null)
    throw new AgonError(
      'forgotten-case',
      `What case ${id} judged was forgotten on ${forgottenAt.toISOString().slice(0, 10)}.`,
      'Only its verdict and seal are left: GET /api/cases/{id}.',
    );
  throw new AgonError(
    'unfinished-case',
    `Case ${id} has no verdict yet.`,
    'Listen to its events while it is judged, or judge the same content again: the trial goes on where it stopped.',
  );
}

async function* fromRecord(told: readonly SentEvent[], after: string | null): AsyncGenerator<SentEvent, void, void> {
  yield* told.slice(findResumePosition(told, { last: after, mark: null, ended: true }) ?? 0);
}

function isLive(id: string, trials: ServerContext['trials']): boolean {
  const live = trials.findByCase(id);
  return live !== undefined && !live.ended;
}

async function page(
  ledger: Ledger,
  { limit, after, since, until, escalated, ...query }: Request<'moderations.list'>['query'],
  job: Job | undefined,
) {
  const filter: CaseFilter = {
    ...query,
    escalate: escalated,
    ...(job ? { job } : {}),
    ...(since ? { since: new Date(since) } : {}),
    ...(until ? { until: new Date(until) } : {}),
  };
  const { rows, next } = await ledger.cases.listCases(filter, { limit, after: after ?? null });
  return { rows: rows.map(rowOf), next };
}

/** A case as it stands in a list. */
export function rowOf(found: CaseSummary): CaseRow {
  const {
    id,
    subject,
    configuration,
    run,
    again,
    label,
    score,
    probability,
    confidence,
    disagreement,
    escalate,
    rule,
    categories,
    degraded,
    modality,
    models,
    excerpt,
    decided,
    seal,
  } = found;
  return {
    id,
    job: found.job as Job,
    subject,
    configuration,
    run,
    again,
    openedAt: found.openedAt.toISOString(),
    closedAt: found.closedAt?.toISOString() ?? null,
    label,
    score,
    probability,
    confidence,
    disagreement,
    escalate,
    rule,
    categories: [...categories],
    degraded,
    modality,
    models: [...models],
    excerpt,
    decided,
    seal,
    forgottenAt: found.forgottenAt?.toISOString() ?? null,
  };
}

function decisionRow({ at, learntAt, ...decision }: Decision) {
  return { ...decision, at: at.toISOString(), learntAt: learntAt?.toISOString() ?? null };
}
