import { type UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, Eye, Image, UserRound } from 'lucide-react';
import { client, type QueueRow } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card, EmptyState, ListView, Loading } from '../../components/page.tsx';
import { KeyHint, useHotkeys } from '../../components/hotkeys.tsx';
import { PlainText, When } from '../../components/text.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { classes } from '../../components/tones.ts';
import { findConsoleJob } from '../../jobs/index.ts';
import { judgeSample } from '../../jobs/job-parts.ts';
import { useJobs, useMay } from '../../session/session.ts';
import { reasonLooks, type Stage, stageLeads, stageNames, stages } from './review-stages.ts';
import { type QueueFilter } from '../../api/query-options.ts';
import { DueBadge, QueueBar } from './queue-bar.tsx';
import { useAction } from '../../components/use-action.ts';

interface QueueListProps {
  filter: QueueFilter & { stage: Stage };
  change: (changed: Record<string, string | undefined>) => void;
  counts: Record<Stage, number> | undefined;
  list: UseInfiniteQueryResult<{ pages: Awaited<ReturnType<typeof client.queue.list>>[] }>;
  starting: boolean;
  onStart: () => void;
}

export function QueueList({ filter, change, counts, list, starting, onStart }: QueueListProps) {
  const { stage } = filter;
  const onStage = (next: Stage) => change({ stage: next === 'first' ? undefined : next });
  const isEmpty = !list.data?.pages.some(({ rows }) => rows.length > 0);
  useHotkeys({ n: onStart }, !isEmpty);
  const panel = (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-3xl text-quiet">{stageLeads[stage]}</p>
        {!isEmpty && (
          <Button variant="primary" busy={starting} onClick={onStart}>
            Start reviewing <KeyHint>N</KeyHint>
          </Button>
        )}
      </div>
      <ListView
        list={list}
        loading={
          <Card>
            <Loading lines={6} what="Loading queue" />
          </Card>
        }
        empty={<EmptyStage stage={stage} counts={counts} onStage={onStage} />}
      >
        {(rows) => (
          <ul aria-label={stageNames[stage]} className="divide-y overflow-hidden rounded-xl border bg-surface">
            {rows.map((row) => (
              <QueueEntry key={row.id} row={row} />
            ))}
          </ul>
        )}
      </ListView>
    </>
  );
  return (
    <>
      <QueueBar filter={filter} change={change} />
      <Tabs
        label="Stages"
        value={stage}
        onChange={onStage}
        tabs={stages.map((name) => ({
          name,
          label: (
            <>
              {stageNames[name]}{' '}
              {counts && <span className="ml-1 text-quiet tabular-nums">{counts[name].toLocaleString()}</span>}
            </>
          ),
          panel: name === stage && panel,
        }))}
      />
    </>
  );
}

/** A case that waits. Nothing here says what the machine thinks of it. */
function QueueEntry({ row }: { row: QueueRow }) {
  const { id, excerpt, job, modality, urgency, why, openedAt, heldBy, dueAt, assigned } = row;
  const { badge } = findConsoleJob(job).review;
  return (
    <li
      className={classes(
        'relative grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 p-4 has-focus-visible:outline-3',
        'has-focus-visible:-outline-offset-3 has-focus-visible:outline-link hover:bg-paper',
        'sm:grid-cols-[auto_1fr_auto]',
      )}
    >
      <Urgency value={urgency} />
      <Link
        to="/queue"
        search={((before: object) => ({ ...before, case: id })) as never}
        preload={false}
        className="min-w-0 text-ink no-underline outline-none after:absolute after:inset-0"
      >
        <span className="words line-clamp-2 font-medium">
          {excerpt ? <PlainText text={excerpt} /> : 'Image without text'}
        </span>
      </Link>
      <p className="col-start-2 text-sm text-quiet sm:col-start-3">
        <When moment={openedAt} />
      </p>
      <p className="col-start-2 flex flex-wrap items-center gap-1.5 sm:col-span-2">
        {dueAt !== null && <DueBadge dueAt={dueAt} />}
        {why.map((reason) => (
          <Badge key={reason} tone={reasonLooks[reason].tone}>
            {reasonLooks[reason].words}
          </Badge>
        ))}
        {badge !== null && <Badge>{badge}</Badge>}
        {modality?.includes('image') && <Badge icon={Image}>Includes an image</Badge>}
        {assigned !== null && (
          <Badge icon={UserRound} tone="implicit">
            <span className="words">
              For <PlainText text={assigned} />
            </span>
          </Badge>
        )}
        {heldBy !== null && (
          <Badge icon={Eye} tone="implicit">
            <span className="words">Open by {heldBy}</span>
          </Badge>
        )}
      </p>
    </li>
  );
}

function Urgency({ value }: { value: number }) {
  return (
    <span
      className="relative row-span-2 mt-1 block h-10 w-2 overflow-hidden rounded-full bg-line"
      title={`Urgency ${value.toFixed(2)}`}
    >
      <span
        aria-hidden
        className="absolute inset-x-0 bottom-0 rounded-full bg-caution"
        style={{ height: `${Math.max(8, Math.round(value * 100))}%` }}
      />
      <span className="sr-only">Urgency {value.toFixed(2)}</span>
    </span>
  );
}

interface EmptyStageProps extends Pick<QueueListProps, 'counts'> {
  stage: Stage;
  onStage: (stage: Stage) => void;
}

function EmptyStage({ stage, counts, onStage }: EmptyStageProps) {
  const mayJudge = useMay('judge');
  const job = useJobs().find(({ review }) => review.sample !== undefined);
  const sample = job?.review.sample;
  const judge = useAction({
    act: async () => {
      const id = await judgeSample(client, job!, sample!);
      const { rows } = await client.queue.list({ limit: 200 });
      return rows.some((row) => row.id === id);
    },
    changes: 'queue',
    says: (waits) => (waits ? null : 'The sample needs no review. Find it under Cases.'),
  });
  const elsewhere = stages.filter((other) => other !== stage && counts && counts[other] > 0);
  return (
    <EmptyState
      title={elsewhere.length > 0 ? 'Nothing to review here' : 'Nothing to review'}
      icon={CircleCheck}
      action={
        elsewhere.length > 0
          ? elsewhere.map((other) => (
              <Button key={other} variant="primary" onClick={() => onStage(other)}>
                {stageNames[other]}: {counts?.[other]}
              </Button>
            ))
          : mayJudge &&
            sample && (
              <>
                <Button variant="primary" busy={judge.isPending} onClick={() => judge.mutate()}>
                  Judge a sample
                </Button>
                <ButtonLink to="/">Judge something else</ButtonLink>
              </>
            )
      }
    >
      {elsewhere.length > 0 ? (
        'There is work in another stage.'
      ) : (
        <>
          Verdicts that are undecided, escalated, degraded or close calls wait here for review.{' '}
          {mayJudge && sample && <>Try it with “{Object.values(sample).join(' · ')}”.</>}
        </>
      )}
    </EmptyState>
  );
}
