import { Link } from '@tanstack/react-router';
import type { CaseRecord } from '../../api/types.ts';
import { When } from '../../components/when.tsx';
import { jobNames } from '../../job-names.ts';

/** Which case it is: a line under the title. */
export function CaseLead({ record: { id, job, again, openedAt, policy, run } }: { record: CaseRecord }) {
  return (
    <>
      <code className="font-mono text-sm">{id}</code> · {jobNames[job]} · <When moment={openedAt} exact />
      {job !== 'documents' && (
        <>
          {' '}
          · {policy.name} {policy.version}
        </>
      )}
      {run && (
        <>
          {' '}
          ·{' '}
          <Link to="/evaluations/runs/$id" params={{ id: run }} className="text-link underline">
            run {run}
          </Link>
        </>
      )}
      {again && (
        <>
          {' '}
          · {again.how === 'replay' ? 'a replay' : 'an appeal'} of{' '}
          <Link to="/cases/$id" params={{ id: again.of }} className="text-link underline">
            {again.of}
          </Link>
        </>
      )}
    </>
  );
}
