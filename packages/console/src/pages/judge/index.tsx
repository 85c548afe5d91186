import { useEffect, useEffectEvent, useState } from 'react';
import { Button, CopyButton } from '../../components/button.tsx';
import { Page, EmptyState, Loading, ProblemNotice } from '../../components/page.tsx';
import type { ConsoleJob } from '../../jobs/console-job.ts';
import { findConsoleJob } from '../../jobs/index.ts';
import { type RawSearch, useSearchState } from '../../routing/search.ts';
import { useJobs, useMay } from '../../session/session.ts';
import { type Drafts, JudgeForm } from './judge-form.tsx';
import { TrialPane, trialUrl } from './trial-pane.tsx';
import { useTrial } from './use-trial.ts';

function readSearch(raw: RawSearch) {
  return { case: raw['case'] || undefined, job: raw['job'] };
}

/** Where something is judged, and seen to be judged. The address leads everybody to the same trial. */
export function JudgePage() {
  const [search, setSearch] = useSearchState(readSearch);
  const jobs = useJobs();
  const job = jobs.find(({ id }) => id === search.job) ?? jobs[0];
  const [drafts, setDrafts] = useState<Drafts>({});
  const trial = useTrial();
  const { view, order } = trial;
  const mayJudge = useMay('judge');

  // The address follows the trial as soon as it has an id, and the trial follows the address.
  const known = view?.id ?? undefined;
  useEffect(() => {
    if (known !== undefined) setSearch({ case: known, job: undefined });
  }, [known, setSearch]);
  const follow = useEffectEvent((asked: string | undefined) => {
    if (asked === known) return;
    if (asked !== undefined) trial.open(asked);
    else trial.leave();
  });
  useEffect(() => follow(search.case), [search.case]);

  const begun = order !== null;
  useEffect(() => {
    // The form has gone, and with it the button that was pressed.
    if (begun) document.querySelector('h1')?.focus({ preventScroll: true });
  }, [begun]);

  const another = () => {
    setDrafts({});
    if (search.case === undefined) trial.leave();
    else setSearch({ case: undefined }, { replace: false });
  };
  const again = order ?? (view && findConsoleJob(view.job.id).form.repeatOrder(view));
  const setJob = (chosen: ConsoleJob) => setSearch({ job: chosen === jobs[0] ? undefined : chosen.id });
  // What shows a trial is on its way before it is needed.
  useEffect(() => void job?.views.load(), [job]);

  if (view === null && search.case !== undefined) {
    return (
      <Page title="Judge" wide>
        {trial.unopened ? (
          <>
            <ProblemNotice error={trial.unopened} retry={() => trial.open(search.case!)} />
            <p>
              <Button onClick={another}>Judge something</Button>
            </p>
          </>
        ) : (
          <Loading lines={8} what="Opening case" />
        )}
      </Page>
    );
  }
  // What was refused can be put right where it was written.
  const refused = view?.state === 'failed' && view.id === null && order !== null ? view.problem : null;
  if (view === null || refused !== null) {
    return (
      <Page
        title="Judge"
        lead="Two sides argue, every argument quotes its evidence, and written rules decide. Watch it happen."
      >
        {refused !== null && <ProblemNotice error={refused} retry={() => trial.begin(view!.job, order!)} />}
        {mayJudge && job ? (
          <JudgeForm jobs={jobs} job={job} drafts={drafts} onJob={setJob} onDrafts={setDrafts} onJudge={trial.begin} />
        ) : (
          <EmptyState title="Your key cannot judge">It can view what was judged: see Cases.</EmptyState>
        )}
      </Page>
    );
  }
  return (
    <Page
      title="Judge"
      wide
      actions={
        view.state === 'live' ? (
          view.id !== null && <CopyButton text={trialUrl(view.id)}>Copy link</CopyButton>
        ) : (
          <Button size="small" onClick={another}>
            Judge another
          </Button>
        )
      }
    >
      <TrialPane
        view={view}
        connection={trial.connection}
        sent={trial.sent}
        files={order?.files ?? noFiles}
        onStop={mayJudge ? trial.stop : null}
        onAgain={again && mayJudge ? () => trial.begin(view.job, again) : null}
      />
    </Page>
  );
}

const noFiles: ReadonlyMap<string, File> = new Map();
