import { z } from 'zod';
import { renderReport, type ReportFormat, type TextFormat } from '../../app/index.ts';
import { AgonError } from '../../errors.ts';
import { requireJob, type JobAnswer } from '../../jobs/index.ts';
import type { Case, Ledger } from '../../ledger/index.ts';
import { policyOnRecord } from '../../policy/index.ts';
import { replyWithMedia, type Reply } from '../reply.ts';

const types: Record<TextFormat, string> = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  json: 'application/json',
  notice: 'text/markdown; charset=utf-8',
};

/** The report on a case, in a format. */
export async function renderCaseReport(
  { id, policy }: Case,
  answer: JobAnswer,
  format: ReportFormat,
  ledger: Ledger,
): Promise<Reply> {
  if (format === 'pdf') {
    const { report } = requireJob(answer.job);
    if (!report.pdf)
      throw new AgonError(
        'other-job',
        'Only documents have a decision brief as a PDF.',
        'Ask for format=html or format=markdown.',
      );
    return replyWithMedia(await report.pdf(answer), 'application/pdf', `${id}.pdf`);
  }
  const images = await loadImages(readImages(answer), ledger);
  return replyWithMedia(
    renderReport(answer, format, { images, policy: policyOnRecord(policy.document) }),
    types[format],
  );
}

const illustrated = z.object({
  subject: z.object({ images: z.array(z.object({ id: z.string(), hash: z.string().nullable() })) }),
});

function readImages(answer: JobAnswer) {
  return illustrated.safeParse(answer).data?.subject.images ?? [];
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
