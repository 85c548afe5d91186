import { findJob, type JobAnswer, type VerifyOptions } from '../jobs/index.ts';
import type { AnswerVerifier, FindVerifier } from './check-case.ts';

const noPolicy = { name: '', version: '', hash: '', categories: [] };

/** Every job of this process; documents are read again from the files in the bundle. */
export function findJobVerifier(readDocuments: VerifyOptions['readDocuments']): FindVerifier {
  return (id): AnswerVerifier | undefined => {
    const job = findJob(id);
    if (!job) return undefined;
    return {
      readAnswer: (json, name) => job.readAnswer(json, name),
      verify(answer: JobAnswer, { policy = noPolicy, settings, files }) {
        const sources = (job.listFiles?.(answer) ?? []).flatMap(({ name, hash }) => {
          const bytes = files.get(hash);
          return bytes ? [{ name, bytes }] : [];
        });
        const block = (settings as Record<string, Record<string, unknown> | undefined> | null)?.[id] ?? {};
        return job.verify(answer, {
          ...(sources.length > 0 ? { sources } : {}),
          policy,
          settings: block,
          readDocuments,
        });
      },
    };
  };
}
