import { useMutation } from '@tanstack/react-query';
import { Calculator } from 'lucide-react';
import { client } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { EstimateView } from '../../components/estimate-view.tsx';
import { ProblemNotice } from '../../components/page.tsx';
import type { ConsoleJob, ConsoleDraft } from '../../jobs/console-job.ts';
import { writeOptions } from '../../jobs/job-parts.ts';

/** What judging a draft would cost: as a run of one item. A changed draft has no estimate. */
export function EstimateOne({ job, draft }: { job: ConsoleJob; draft: ConsoleDraft }) {
  const estimate = useMutation({ mutationFn: estimateDraft });
  const shown = estimate.variables?.draft === draft && estimate.variables.job === job;
  return (
    <div className="grid gap-3" aria-live="polite">
      <Button
        className="w-fit"
        icon={Calculator}
        busy={estimate.isPending}
        onClick={() => estimate.mutate({ job, draft })}
      >
        Estimate cost
      </Button>
      {shown && estimate.error && <ProblemNotice error={estimate.error} />}
      {shown && estimate.data && <EstimateView estimate={estimate.data} />}
    </div>
  );
}

function estimateDraft({ job, draft }: { job: ConsoleJob; draft: ConsoleDraft }) {
  const { item, files } = job.form.makeItem(draft);
  const list = new File([`${JSON.stringify(item)}\n`], 'item.jsonl', { type: 'application/jsonl' });
  return client.runs.estimate({
    job: job.id,
    files: [list, ...files],
    ...writeOptions(draft.options, job.form.methods),
  });
}
