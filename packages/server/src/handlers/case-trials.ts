import { z } from 'zod';
import { isTextFormat, renderReport, requireReportFile, type ReportFormat, type TextFormat } from '@agonhq/core/app';
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import type { Arrangement, FindSource, JobAnswer } from '@agonhq/judges/job';
import { findStandingDecision, giveFeedback } from '@agonhq/core/learning';
import type { Case, Ledger } from '@agonhq/ledger';
import { policyOnRecord } from '@agonhq/engine/policy';
import { appeal, replay, requireJudgedCase } from '@agonhq/core/retrials';
import { hasScope, reviewerName } from '../auth/principal.ts';
import { describeDecision } from '../event-feed.ts';
import type { Handlers } from '../handler.ts';
import { findPolicy } from '../policies/policy-work.ts';
import { replyWithEvents, type SentEvent, replyWithMedia, type Reply } from '../reply.ts';
import type { ServerContext } from '../server-context.ts';
import { findResumePosition } from '../trials/resume-position.ts';
import { followElsewhere } from '../trials/follow-elsewhere.ts';
import { replyWithTrial } from '../trials/run-trial.ts';
import { recreateEvents } from '../trials/trial-events.ts';
import { findOnRecord } from './cases.ts';

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
    await renderReport(
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

/** What a case came to, how it was argued, and what people do about it. */
export const trialHandlers = {
  async 'cases.answer'({ params }, { ledger }) {
    return requireAnswer(await findOnRecord(ledger, params.id));
  },

  async 'cases.events'({ params }, { jobs, ledger, trials }) {
    const live = trials.findByCase(params.id);
    if (live) return replyWithEvents((options) => live.subscribe(options));
    const found = await findOnRecord(ledger, params.id);
    if (found.answer === null && found.state === 'judging')
      return replyWithEvents(({ signal }) => followElsewhere({ jobs, ledger }, found.id, signal));
    const told = recreateEvents(jobs.require(found.job), requireAnswer(found));
    return replyWithEvents(({ after }) => resumeAfter(told, after));
  },

  async 'cases.report'({ params, query }, context) {
    const found = await findOnRecord(context.ledger, params.id);
    return renderCaseReport(found, requireAnswer(found), query, context);
  },

  async 'cases.replay'({ params, body, ...asking }, context) {
    const { ledger } = context;
    const { id, job } = await requireJudgedCase(ledger, (await findOnRecord(ledger, params.id)).id);
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

  async 'cases.appeal'({ params, body, ...asking }, context) {
    const { ledger } = context;
    const { id, job } = await requireJudgedCase(ledger, (await findOnRecord(ledger, params.id)).id);
    return replyWithTrial(asking, context, {
      job,
      key: hashOf(['appeal', id, body]),
      hold: (...held) => appeal(ledger, id, { ...body, ...retrialOptions(context, ...held) }),
    });
  },

  async 'cases.forget'({ params }, { ledger, trials }) {
    const found = await findOnRecord(ledger, params.id);
    const cases = await ledger.cases.forgetSubject(found.subject);
    trials.forgetEnded();
    return { case: found.id, cases };
  },

  async 'cases.feedback'({ params, body, principal, once }, { jobs, ledger, settings, feed }) {
    const { id } = await findOnRecord(ledger, params.id);
    const { by = 'feedback', ...given } = body;
    const decided = await giveFeedback(
      jobs,
      ledger,
      { case: id, ...given, by: reviewerName(principal) ?? by },
      { secondReview: settings.server?.secondReview, onceAt: hasScope(principal, 'admin') ? [] : ['dispute'], once },
    );
    if (!decided.repeated) feed.publish(describeDecision(decided));
    return decided;
  },
} satisfies Partial<Handlers>;

function retrialOptions({ jobs, settings, agons, environment }: ServerContext, signal: AbortSignal, stream: boolean) {
  return { jobs, settings, parts: { pool: agons.pool, environment }, signal, stream };
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
