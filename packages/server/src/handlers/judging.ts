import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Job, RequestMeans } from '@agonhq/judges/job';
import { ownJobs } from '@agonhq/core/own-jobs';
import type { Handlers, Request } from '../handler.ts';
import { parseWith } from '../http/read-request.ts';
import { findPolicy } from '../policies/policy-work.ts';
import type { ServerContext } from '../server-context.ts';
import { openTrial, replyWithTrial, type Manner } from '../trials/run-trial.ts';

/** What is asked to be judged, by Agon's own jobs and by others. */
export const judgingHandlers = {
  'moderations.create': (request, context) => judgeRequest('moderation', request, context),
  'evaluations.create': (request, context) => judgeRequest('evaluation', request, context),
  'analyses.create': (request, context) => judgeRequest('documents', request, context),

  'cases.create'(request, context) {
    const { request: asked } = context.jobs.require(request.params.job);
    return judgeRequest(
      request.params.job,
      { ...request, body: parseWith(asked.schema, request.body, 'body') },
      context,
    );
  },

  'jobs.list': (_, { jobs }) => ({ rows: jobs.list().map(describeJob) }),
} satisfies Partial<Handlers>;

type Asked = Pick<Request<'cases.create'>, 'files' | 'signal' | 'wantsEvents'>;

/** Judges what a request holds; files are those of a form. */
async function judgeRequest(id: string, request: Asked & { body: unknown }, context: ServerContext) {
  const trial = await openRequestedTrial(context.jobs.require(id), request, context, request.body);
  return replyWithTrial(request, context, trial);
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

function describeJob(job: Job) {
  const { id, title, description, subject, labels, methods, request } = job;
  const { $schema: _, ...input } = z.toJSONSchema(request.schema, { io: 'input', unrepresentable: 'any' });
  return { id, title, description, own: ownJobs.find(id) !== undefined, subject, labels, methods, input };
}
