import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { AgonError } from '../../errors.ts';
import { ownJobs } from '../../own-jobs.ts';
import { hashOf } from '../../hash.ts';
import type { Arrangement, FindSource, Job, JobAnswer, RequestMeans } from '../../jobs/index.ts';
import { findStandingDecision, giveFeedback } from '../../learning/index.ts';
import type { Case, Ledger } from '../../ledger/index.ts';
import { appeal, replay, requireJudgedCase } from '../../retrials/index.ts';
import { hasScope, reviewerName } from '../auth/principal.ts';
import { describeDecision } from '../event-feed.ts';
import type { GroupOf, Handler, Handlers, Request } from '../handler.ts';
import { parseWith } from '../http/read-request.ts';
import { findPolicy } from '../policies/policy-work.ts';
import { replyWithEvents, type SentEvent, replyWithMedia, type Reply } from '../reply.ts';
import type { ServerContext } from '../server-context.ts';
import { findResumePosition } from '../trials/resume-position.ts';
import { followElsewhere } from '../trials/follow-elsewhere.ts';
import { locateCases, openTrial, replyWithTrial, type Manner } from '../trials/run-trial.ts';
import { recreateEvents } from '../trials/trial-events.ts';
import { findOnRecord, pageCases } from './cases.ts';
import { isTextFormat, renderReport, requireReportFile, type ReportFormat, type TextFormat } from '../../app/index.ts';
import { policyOnRecord } from '../../policy/index.ts';

const types: Record<TextFormat, string> = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  json: 'application/json',
  notice: 'text/markdown; charset=utf-8',
};

/** The report on a case, in a format. */
async function renderCaseReport(
  { id, policy }: Case,
  answer: JobAnswer,
  { format, ...arranged }: { format: ReportFormat } & Arrangement,
  { jobs, ledger }: ServerContext,
): Promise<Reply> {
  const corrections = await ledger.corrections.listCorrections({ case: id, standing: true });
  const edits = await ledger.findings.listEdits(id);
  const decision = await findStandingDecision(ledger, id);
  if (!isTextFormat(format)) {
    const { mediaType, render } = requireReportFile(jobs, jobs.require(answer.job), format);
    const findSource: FindSource = async (hash) => (await ledger.attachments.findAttachment(hash))?.data ?? null;
    const ending = format === 'annotated' ? 'annotated.pdf' : format;
    return replyWithMedia(
      await render(answer, findSource, { corrections, edits, arranged }),
      mediaType,
      `${id}.${ending}`,
    );
  }
  const { images: shown, recordings } = readMedia(answer);
  const images = await loadImages(shown, ledger);
  const kept = new Set((await ledger.cases.listAttachments(id)).map(({ hash }) => hash));
  const places = recordings
    .filter(({ hash }) => kept.has(hash))
    .map(({ id: own, hash }) => [own, `/api/cases/${encodeURIComponent(id)}/attachments/${encodeURIComponent(hash)}`]);
  return replyWithMedia(
    renderReport(
      answer,
      format,
      {
        images,
        recordings: Object.fromEntries(places),
        policy: policyOnRecord(policy.document),
        corrections,
        edits,
        ...(decision ? { decision } : {}),
      },
      jobs,
    ),
    types[format],
  );
}

const illustrated = z.object({
  subject: z.object({
    images: z.array(z.object({ id: z.string(), hash: z.string().nullable() })).default([]),
    recordings: z.array(z.object({ id: z.string(), hash: z.string() })).default([]),
  }),
});

function readMedia(answer: JobAnswer) {
  return illustrated.safeParse(answer).data?.subject ?? { images: [], recordings: [] };
}

/** The judged images by their ids, as data URIs. */
async function loadImages(
  images: readonly { id: string; hash: string | null }[],
  { attachments }: Ledger,
): Promise<Record<string, string>> {
  const found = await Promise.all(
    images.map(async ({ id, hash }) => ({
      id,
      kept: hash === null ? undefined : await attachments.findAttachment(hash),
    })),
  );
  return Object.fromEntries(
    found.flatMap(({ id, kept }) =>
      kept ? [[id, `data:${kept.mediaType};base64,${Buffer.from(kept.data).toString('base64')}`]] : [],
    ),
  );
}

/** What any job judges, and what every case can be asked for. */
const jobHandlers: Handlers<'jobs.list' | GroupOf<'jobCases'>> = {
  'jobs.list': (_, { jobs }) => ({ rows: jobs.list().map(describeJob) }),

  'jobCases.create'(request, context) {
    const job = context.jobs.require(request.params.job);
    return judgeRequest(job, request, context, parseWith(job.request.schema, request.body, 'body'));
  },

  'jobCases.list': ({ params, query }, { jobs, ledger }) => pageCases(ledger, query, jobs.require(params.job).id),

  async 'jobCases.get'({ params }, context) {
    return requireAnswer(await findOfJob(context, params));
  },

  async 'jobCases.events'({ params }, context) {
    const { jobs, ledger, trials } = context;
    const live = trials.findByCase(params.id);
    if (live) return replyWithEvents((options) => live.subscribe(options));
    const found = await findOfJob(context, params);
    if (found.answer === null && found.state === 'judging')
      return replyWithEvents(({ signal }) => followElsewhere({ jobs, ledger }, found.id, signal));
    const told = recreateEvents(jobs.require(found.job), requireAnswer(found));
    return replyWithEvents(({ after }) => resumeAfter(told, after));
  },

  async 'jobCases.report'({ params, query }, context) {
    const found = await findOfJob(context, params);
    return renderCaseReport(found, requireAnswer(found), query, context);
  },

  async 'jobCases.replay'({ params, body, ...asking }, context) {
    const { ledger } = context;
    const { id, job } = await requireJudgedCase(ledger, (await findOfJob(context, params)).id);
    const { withoutPrecedents, policy, seats } = body;
    if ([withoutPrecedents, policy, seats].filter((part) => part !== undefined).length > 1)
      throw new AgonError(
        'two-changes',
        'The request changes more than one thing.',
        'Change one thing at a time, so that you know what flips the verdict.',
      );
    const change = {
      withoutPrecedent: withoutPrecedents,
      policy: policy === undefined ? undefined : await findPolicy(policy, context),
      seats,
    };
    return replyWithTrial(asking, context, {
      job,
      key: hashOf(['replay', id, change.policy?.hash ?? null, withoutPrecedents ?? null, seats ?? null]),
      hold: (...held) => replay(ledger, id, change, retrialOptions(context, ...held)),
    });
  },

  async 'jobCases.appeal'({ params, body, ...asking }, context) {
    const { ledger } = context;
    const { id, job } = await requireJudgedCase(ledger, (await findOfJob(context, params)).id);
    return replyWithTrial(asking, context, {
      job,
      key: hashOf(['appeal', id, body]),
      hold: (...held) => appeal(ledger, id, { ...body, ...retrialOptions(context, ...held) }),
    });
  },

  async 'jobCases.forget'({ params }, context) {
    const { ledger, trials } = context;
    const found = await findOfJob(context, params);
    const cases = await ledger.cases.forgetSubject(found.subject);
    trials.forgetEnded();
    return { case: found.id, cases };
  },
};

type OwnGroup = GroupOf<'moderations' | 'evaluations' | 'analyses'>;

/** The groups of Agon's own jobs are the cases of a job under another address. */
export const judgingHandlers = {
  ...jobHandlers,
  ...Object.assign({}, ...ownJobs.list().map((job) => groupHandlers(job))),
} as Handlers<'jobs.list' | GroupOf<'jobCases'> | OwnGroup>;

function groupHandlers(job: Job): Record<string, unknown> {
  type OfCase = Handler<'jobCases.get'>;
  const make =
    (handler: OfCase): OfCase =>
    (request, context) =>
      handler({ ...request, params: { ...request.params, job: job.id } }, context);
  const { 'jobs.list': _, 'jobCases.create': __, ...ofCases } = jobHandlers;
  return Object.fromEntries([
    ...Object.entries(ofCases).map(([id, handler]) => [id.replace('jobCases', job.apiGroup!), make(handler as OfCase)]),
    [`${job.apiGroup}.feedback`, make(takeFeedback as unknown as OfCase)],
    [
      `${job.apiGroup}.create`,
      (request: Asked & { body: unknown }, context: ServerContext) => judgeRequest(job, request, context, request.body),
    ],
  ]);
}

type Asked = Pick<Request<'jobCases.create'>, 'files' | 'signal' | 'wantsEvents'>;

/** Judges what a request holds: `given` was read by the schema of the job's request; files are those of a form. */
async function judgeRequest(job: Job, request: Asked, context: ServerContext, given: unknown) {
  return replyWithTrial(request, context, await openRequestedTrial(job, request, context, given));
}

/** The trial of what a request holds. */
export async function openRequestedTrial(
  job: Job,
  { files, signal, item }: Pick<Asked, 'files' | 'signal'> & Pick<RequestMeans, 'item'>,
  context: ServerContext,
  given: unknown,
) {
  const uploads = await Promise.all(files.map(async ({ name, path }) => ({ name, data: await readFile(path) })));
  const subject = await job.request.read(files.length > 0 ? { ...(given as object), files: uploads } : given, {
    item,
    fetchImage: async (url) => new Uint8Array((await context.outbound.fetchImage(url, signal)).bytes),
  });
  const { method, sensitivity, seats, budgetUsd, ...asked } = given as Omit<Manner, 'policy'> & { policy?: string };
  const policy = asked.policy === undefined ? undefined : await findPolicy(asked.policy, context);
  const about = files.length > 0 ? files.map(({ name, hash }) => [name, hash]) : undefined;
  return openTrial(context, job, { ...subject, method, sensitivity, seats, policy, budgetUsd, about });
}

async function takeFeedback(
  { params, body, principal, once }: Request<'moderations.feedback'> & { params: { job: string } },
  { jobs, ledger, settings, feed }: ServerContext,
) {
  const { id } = await findOfJob({ jobs, ledger }, params);
  const { by = 'feedback', ...given } = body;
  const decided = await giveFeedback(
    jobs,
    ledger,
    { case: id, ...given, by: reviewerName(principal) ?? by },
    { secondReview: settings.server?.secondReview, onceAt: hasScope(principal, 'admin') ? [] : ['dispute'], once },
  );
  if (!decided.repeated) feed.publish(describeDecision(decided));
  return decided;
}

function describeJob(job: Job) {
  const { id, title, description, subject, labels, methods, request } = job;
  const { $schema: _, ...input } = z.toJSONSchema(request.schema, { io: 'input', unrepresentable: 'any' });
  return { id, title, description, own: ownJobs.find(id) !== undefined, subject, labels, methods, input };
}

function retrialOptions({ jobs, settings, agons, environment }: ServerContext, signal: AbortSignal, stream: boolean) {
  return { jobs, settings, parts: { pool: agons.pool, environment }, signal, stream };
}

async function findOfJob(
  { jobs, ledger }: Pick<ServerContext, 'jobs' | 'ledger'>,
  { job, id }: { job: string; id: string },
): Promise<Case> {
  const found = await findOnRecord(ledger, id);
  if (found.job === jobs.require(job).id) return found;
  throw new AgonError(
    'unknown-case',
    `${found.id} is a case of ${found.job}.`,
    `Ask for it under ${locateCases(jobs.require(found.job))}.`,
  );
}

function requireAnswer({ id, answer, forgottenAt }: Case): JobAnswer {
  if (answer !== null) return answer;
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

async function* resumeAfter(told: readonly SentEvent[], after: string | null): AsyncGenerator<SentEvent, void, void> {
  yield* told.slice(findResumePosition(told, { last: after, mark: null, ended: true }) ?? 0);
}
