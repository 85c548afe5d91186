import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { EstimateButton, EstimateView } from '../../components/estimate-view.tsx';
import type { ConsoleJob, ConsoleDraft } from '../../jobs/console-job.ts';
import { writeOptions } from '../../jobs/job-parts.ts';

/** What judging a draft would cost: as a run of one item. A changed draft has no estimate. */
export function EstimateOne({ job, draft }: { job: ConsoleJob; draft: ConsoleDraft }) {
  const estimate = useMutation({ mutationFn: estimateDraft });
  const { data, error, isPending, variables } = estimate;
  const isShown = variables?.draft === draft && variables.job === job;
  return (
    <EstimateButton
      estimate={{ data: isShown ? data : undefined, error: isShown ? error : null, isPending }}
      onAsk={() => estimate.mutate({ job, draft })}
    >
      {(made) => <EstimateView estimate={made} />}
    </EstimateButton>
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
