import { type Retrial, appeal, findCase, judgedCase, replay } from '../../retrials/index.ts';
import { type TrialEvent, eventsOnRecord } from '../trials/trial-events.ts';
import type { OwnJobId as Job } from '../../jobs/index.ts';
import type { CaseRow } from '../../api/index.ts';
import { AgonError } from '../../errors.ts';
import { giveFeedback } from '../../learning/index.ts';
import type { AttachmentRow, Case, CaseFilter, CaseSummary, Decision, Ledger } from '../../ledger/index.ts';
import { hashOf } from '../../hash.ts';
import { mayDo, reviewerOf } from '../auth/principal.ts';
import { groupOf, type Answered, hearAs, type Trial } from '../trials/run-trial.ts';
import type { GroupOf, Handlers, Request } from '../handler.ts';
import type { House } from '../server-context.ts';
import { placeAfter } from '../trials/resume-position.ts';
import { brought, events, type SentEvent } from '../reply.ts';
import { policyNamed } from '../policies/find-policy.ts';
import { reportOn } from '../cases/render-case-report.ts';
import { embedText } from '../../reasoners/index.ts';
import { similarCases } from '../cases/similar-cases.ts';

/** Cases about alike content. */
export const similarHandlers: Handlers<'cases.similar'> = {
  async 'cases.similar'({ params, query, signal }, { ledger, reads }) {
    const found = await findCase(ledger, params.id);
    if (!found) throw new AgonError('unknown-case', `There is no case ${params.id}.`, 'GET /api/cases lists them.');
    if (found.forgottenAt !== null || found.excerpt === null)
      throw new AgonError(
        'forgotten-case',
        `What case ${found.id} judged was forgotten.`,
        'Without its content nothing can be compared with it.',
      );
    const { rows, compared } = await reads.take(
      () => similarCases(ledger, found, { limit: query.limit, embed: embedText }),
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

  'cases.list': ({ query: { job, ...query } }, house) => page(house.ledger, query, job),

  async 'cases.get'({ params }, { ledger, hearings }) {
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
      live: isLive(found.id, hearings),
    };
  },

  async 'cases.stop'({ params }, { ledger, hearings }) {
    const { id } = await onRecord(ledger, params.id);
    const live = isLive(id, hearings);
    if (live) hearings.of(id)!.stop();
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
    return brought(found.data, found.mediaType);
  },
};

function casesOf<Of extends Job>(job: Of) {
  const group = groupOf[job];
  const made: Handlers<`moderations.${Verb}`> = {
    'moderations.list': ({ query }, { ledger }) => page(ledger, query, job),

    async 'moderations.get'({ params }, { ledger }) {
      return answerOf(await ofJob(ledger, params.id, job));
    },

    async 'moderations.events'({ params }, { ledger, hearings }) {
      const live = hearings.of(params.id);
      if (live) return events((options) => live.listen(options));
      const told = eventsOnRecord(answerOf(await ofJob(ledger, params.id, job)));
      return events(({ after }) => fromRecord(told, after));
    },

    async 'moderations.report'({ params, query }, { ledger }) {
      const found = await ofJob(ledger, params.id, job);
      answerOf(found);
      return reportOn(found, query.format, ledger);
    },

    async 'moderations.feedback'(request, house) {
      const { id } = await ofJob(house.ledger, request.params.id, job);
      const { by = 'feedback', ...given } = request.body;
      const decided = await giveFeedback(
        house.ledger,
        { case: id, ...given, by: reviewerOf(request.principal) ?? by },
        {
          secondReview: house.settings.server?.secondReview,
          onceAt: mayDo(request.principal, 'admin') ? [] : ['dispute'],
        },
      );
      if (!decided.repeated)
        house.news.tell({
          type: 'decision',
          at: new Date().toISOString(),
          case: id,
          label: decided.label,
          verdict: decided.verdict,
          by: decided.by,
        });
      return decided;
    },

    async 'moderations.replay'(request, house) {
      const { id } = await judgedCase(house.ledger, (await ofJob(house.ledger, request.params.id, job)).id);
      const { withoutPrecedents, policy, seats } = request.body;
      if ([withoutPrecedents, policy, seats].filter((part) => part !== undefined).length > 1)
        throw new AgonError(
          'two-changes',
          'More than one thing is changed.',
          'Change one thing at a time: what flips the verdict is then known.',
        );
      const change = {
        withoutPrecedent: withoutPrecedents,
        policy: policy === undefined ? undefined : await policyNamed(policy, house),
        seats,
      };
      return heldAgain(
        request,
        house,
        job,
        ['replay', id, change.policy?.hash, withoutPrecedents, seats],
        (signal, stream) =>
          replay(house.ledger, id, change, options(house, signal, stream)) as AsyncGenerator<TrialEvent, Retrial, void>,
      );
    },

    async 'moderations.appeal'(request, house) {
      const { id } = await judgedCase(house.ledger, (await ofJob(house.ledger, request.params.id, job)).id);
      return heldAgain(
        request,
        house,
        job,
        ['appeal', id, request.body],
        (signal, stream) =>
          appeal(house.ledger, id, { ...request.body, ...options(house, signal, stream) }) as AsyncGenerator<
            TrialEvent,
            Retrial,
            void
          >,
      );
    },

    async 'moderations.forget'({ params }, { ledger, hearings }) {
      const found = await ofJob(ledger, params.id, job);
      const cases = await ledger.cases.forgetSubject(found.subject);
      hearings.forgetEnded();
      return { case: found.id, cases };
    },
  };
  // The three groups differ in their names and in the schemas of their answers only.
  return Object.fromEntries(
    Object.entries(made).map(([id, handler]) => [id.replace('moderations', group), handler]),
  ) as unknown as Handlers<Exclude<`${GroupOfJob[Of]}.${Verb}`, 'analyses.feedback'>>;
}

function options({ settings, courts, environment }: House, signal: AbortSignal, stream: boolean) {
  return { settings, parts: { pool: courts.pool, environment }, signal, stream };
}

function heldAgain(
  request: Pick<Request<'moderations.replay'>, 'signal' | 'wantsEvents'>,
  house: House,
  job: Job,
  about: readonly unknown[],
  hold: Trial<object>['hold'],
) {
  // Made again, it is recalled: there is no place of its own to send anybody to.
  return hearAs(request, house, { job, key: hashOf(about.map((part) => part ?? null)), hold }, () => null);
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
  yield* told.slice(placeAfter(told, { last: after, mark: null, ended: true }) ?? 0);
}

function isLive(id: string, hearings: House['hearings']): boolean {
  const live = hearings.of(id);
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
