import { renderPdfBrief, renderReport, type ReportFormat, type TextFormat } from '../../app/index.ts';
import { readAnalysis } from '../../jobs/documents/index.ts';
import { AgonError } from '../../errors.ts';
import type { Case, Ledger } from '../../ledger/index.ts';
import { policyOnRecord } from '../../policy/index.ts';
import type { Answered } from '../trials/run-trial.ts';
import { replyWithMedia, type Reply } from '../reply.ts';

const types: Record<TextFormat, string> = {
  html: 'text/html; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  json: 'application/json',
  notice: 'text/markdown; charset=utf-8',
};

/** The report on a case, in a format. */
export async function renderCaseReport(
  { id, job, policy, answer }: Case,
  format: ReportFormat,
  ledger: Ledger,
): Promise<Reply> {
  const answered = answer as unknown as Answered;
  if (format === 'pdf') {
    if (job !== 'documents')
      throw new AgonError(
        'other-job',
        'Only documents have a decision brief as a PDF.',
        'Ask for format=html or format=markdown.',
      );
    return replyWithMedia(
      await renderPdfBrief(readAnalysis(JSON.stringify(answered), id)),
      'application/pdf',
      `${id}.pdf`,
    );
  }
  const images =
    'subject' in answered && 'images' in answered.subject ? await loadImages(answered.subject.images, ledger) : {};
  return replyWithMedia(
    renderReport(answered, format, { images, policy: policyOnRecord(policy.document) }),
    types[format],
  );
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
