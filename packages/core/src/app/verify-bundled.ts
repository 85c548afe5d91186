import type { FindVerifier } from '@agonhq/ledger/bundle';
import type { Jobs } from '@agonhq/judges/job';
import { readDossier } from './read-files.ts';

const noPolicy = { name: '', version: '', hash: '', categories: [] };

/** These jobs, as bundles are verified by them; documents are read again from the files in the bundle. */
export function findJobVerifier(jobs: Pick<Jobs, 'find'>): FindVerifier {
  return (id) => {
    const job = jobs.find(id);
    return (
      job && {
        readAnswer: (json, name) => job.readAnswer(json, name),
        verify(answer, { policy = noPolicy, settings, files }) {
          const sources = (job.listFiles?.(answer) ?? []).flatMap(({ name, hash }) => {
            const bytes = files.get(hash);
            return bytes ? [{ name, bytes }] : [];
          });
          return job.verify(answer, {
            ...(sources.length > 0 ? { sources } : {}),
            policy,
            settings: (settings as Record<string, Record<string, unknown> | undefined> | null)?.[id] ?? {},
            readDocuments: readDossier,
          });
        },
      }
    );
  };
}
