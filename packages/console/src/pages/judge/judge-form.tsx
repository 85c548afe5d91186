import { Gavel } from 'lucide-react';
import { type ClipboardEvent, type Dispatch, type DragEvent, type SetStateAction, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { Form } from '../../components/field.tsx';
import { KeyHint, useHotkeys } from '../../components/hotkeys.tsx';
import { Tabs } from '../../components/tabs.tsx';
import type { ConsoleJob, ConsoleDraft, ConsoleOrder } from '../../jobs/console-job.ts';
import { emptyDraft, writeOptions } from '../../jobs/job-parts.ts';
import { ConfigurationNote, JudgingOptionFields } from '../../session/judging-options.tsx';
import { useSelf } from '../../session/session.ts';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { EstimateButton, EstimateView } from '../../components/estimate-view.tsx';

export type Drafts = Readonly<Record<string, ConsoleDraft>>;

interface JudgeFormProps {
  jobs: readonly ConsoleJob[];
  job: ConsoleJob;
  drafts: Drafts;
  onJob: (job: ConsoleJob) => void;
  onDrafts: Dispatch<SetStateAction<Drafts>>;
  onJudge: (job: ConsoleJob, order: ConsoleOrder) => void;
}

export function JudgeForm({ jobs, job, drafts, onJob, onDrafts, onJudge }: JudgeFormProps) {
  const [asked, setAsked] = useState(false);
  const draft = drafts[job.id] ?? emptyDraft;
  const { limits } = useSelf();
  const missing = job.form.findMissing(draft, limits);
  const change = (of: ConsoleJob, changed: Partial<ConsoleDraft>) =>
    onDrafts((before) => ({ ...before, [of.id]: { ...(before[of.id] ?? emptyDraft), ...changed } }));
  const judge = () => (missing === null ? onJudge(job, job.form.makeOrder(draft)) : setAsked(true));
  useHotkeys({ 'mod+Enter': judge });

  /** Files find their own place: with the job that is open, else with the first that takes them. */
  const take = async (files: readonly File[]) => {
    const order = [job, ...jobs.filter((other) => other !== job)];
    const taken = Map.groupBy(files, (file) => order.find(({ form }) => form.accepts(file)) ?? job);
    for (const [taker, own] of taken) change(taker, await taker.form.addFiles(drafts[taker.id] ?? emptyDraft, own));
    const elsewhere = [...taken.keys()].findLast((taker) => taker !== job);
    if (elsewhere) onJob(elsewhere);
  };
  const pasted = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files];
    if (files.length === 0) return;
    event.preventDefault();
    void take(files);
  };
  const dropped = (event: DragEvent) => {
    const files = [...event.dataTransfer.files];
    if (files.length === 0 || event.defaultPrevented) return;
    event.preventDefault();
    void take(files);
  };

  return (
    <Form
      className="grid gap-5"
      aria-label="What is to be judged"
      onPaste={pasted}
      onDrop={dropped}
      onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
      onSubmit={judge}
    >
      <Card>
        <Tabs
          label="Job"
          value={job.id}
          onChange={(id) => onJob(jobs.find((other) => other.id === id) ?? job)}
          tabs={jobs.map(({ id, title, form }, index) => ({
            name: id,
            label: title,
            panel: (
              <form.Fields
                draft={drafts[id] ?? emptyDraft}
                limits={limits}
                onChange={(changed) => change(jobs[index]!, changed)}
                onFiles={(files) => void take(files)}
              />
            ),
          }))}
        />
        {job.form.methods.length > 0 && (
          <details className="mt-5">
            <summary className="text-sm font-medium">How it is judged, and what it would cost</summary>
            <div className="mt-3 grid gap-3">
              <JudgingOptionFields
                job={job}
                options={draft.options}
                onChange={(changed) => change(job, { options: { ...draft.options, ...changed } })}
              />
              <EstimateOne job={job} draft={draft} />
            </div>
          </details>
        )}
        <div className="mt-5 flex flex-wrap items-end justify-between gap-4">
          <ConfigurationNote job={job} />
          <div className="flex flex-wrap items-center gap-3">
            {asked && missing !== null && (
              <p role="alert" className="text-sm text-risk">
                {missing}
              </p>
            )}
            <span aria-hidden className="hidden items-center gap-1 sm:flex">
              <KeyHint>{isMac ? '⌘' : 'Ctrl'}</KeyHint>
              <KeyHint>↵</KeyHint>
            </span>
            <Button icon={Gavel} variant="primary" type="submit">
              Judge
            </Button>
          </div>
        </div>
      </Card>
      <section aria-label="Samples" className="flex flex-wrap items-center gap-2">
        <span className="text-sm text-quiet">Try:</span>
        {jobs.flatMap((each) =>
          each.form.samples.map(({ title, texts }) => (
            <Button
              key={`${each.id} ${title}`}
              size="small"
              onClick={() => {
                change(each, { texts, files: [] });
                onJob(each);
              }}
            >
              {title}
            </Button>
          )),
        )}
      </section>
    </Form>
  );
}

const isMac = /Mac|iP(?:hone|ad)/.test(navigator.userAgent);

/** What judging a draft would cost: as a run of one item. A changed draft has no estimate. */
function EstimateOne({ job, draft }: { job: ConsoleJob; draft: ConsoleDraft }) {
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
