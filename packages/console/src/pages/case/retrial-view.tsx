import type { client } from '../../api/client.ts';
import type { ServerTask } from '../../api/use-server-task.ts';
import type { SentTrialEvent } from '../../trial/trial-view.ts';
import { ArrowRight, Check, History, LoaderCircle } from 'lucide-react';
import { Badge, LabelBadge } from '../../components/badge.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/page.tsx';
import { PlainText } from '../../components/text.tsx';
import { viewVerdictRisk } from '@agonhq/engine/view';
import { RiskMeter } from '../../components/bars.tsx';
import { DataTable } from '../../components/table.tsx';

type Retrial = Awaited<ReturnType<typeof client.cases.replay>>;

interface RetrialTurn {
  key: string;
  state: 'speaking' | 'recalled' | 'argued';
}

/** The turns that were heard so far, after another event. */
export function followTurns(before: readonly RetrialTurn[] | null, event: SentTrialEvent): readonly RetrialTurn[] {
  const heard = before ?? [];
  if (event.type !== 'turn-start' && event.type !== 'turn-end') return heard;
  const state = event.type === 'turn-start' ? 'speaking' : event.replayed ? 'recalled' : 'argued';
  const turn: RetrialTurn = { key: event.key, state };
  return heard.some(({ key }) => key === turn.key)
    ? heard.map((one) => (one.key === turn.key ? turn : one))
    : [...heard, turn];
}

/** A trial that is held again: as it goes on, and what came of it. */
export function RetrialView({ task, again }: { task: ServerTask<readonly RetrialTurn[], Retrial>; again: string }) {
  const { state, progress, report: retrial, error, stop, reset } = task;
  return (
    <div className="grid gap-4" aria-live="polite">
      {retrial === null && progress !== null && progress.length > 0 && <RetrialProgress heard={progress} />}
      {state === 'running' && (
        <div className="flex flex-wrap items-center gap-3">
          <span className="flex items-center gap-2 text-quiet">
            <LoaderCircle aria-hidden className="size-4 animate-spin" /> Judging again…
          </span>
          <Button size="small" onClick={stop}>
            Stop
          </Button>
        </div>
      )}
      {state === 'stopped' && (
        <p className="text-quiet">Stopped. Completed turns are kept: another attempt continues from there.</p>
      )}
      {state === 'failed' && <ProblemNotice error={error} retry={reset} />}
      {retrial !== null && <RetrialOutcome retrial={retrial} />}
      {(state === 'done' || state === 'stopped') && (
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={reset}>{again}</Button>
          {retrial !== null && (
            <ButtonLink to="/cases/$id" params={{ id: retrial.after.id }} variant="primary">
              Open the new case
            </ButtonLink>
          )}
        </div>
      )}
    </div>
  );
}

const turnStates: Record<RetrialTurn['state'], { icon: typeof Check; words: string }> = {
  speaking: { icon: LoaderCircle, words: 'speaking' },
  recalled: { icon: History, words: 'reused' },
  argued: { icon: Check, words: 'argued again' },
};

function RetrialProgress({ heard }: { heard: readonly RetrialTurn[] }) {
  return (
    <ol aria-label="Progress" className="grid gap-1">
      {heard.map(({ key, state }) => {
        const { icon: Icon, words } = turnStates[state];
        return (
          <li key={key} className="flex items-center gap-2">
            <Icon aria-hidden className={`size-4 text-quiet ${state === 'speaking' ? 'animate-spin' : ''}`} />{' '}
            <code className="font-mono text-sm">{key}</code> <span className="text-sm text-quiet">{words}</span>
          </li>
        );
      })}
    </ol>
  );
}

function RetrialOutcome({ retrial }: { retrial: Retrial }) {
  const { before, after, flipped, changes, differences, recalled, argued, notes } = retrial;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-3 rounded-xl border bg-paper p-4">
        <OutcomeSide outcome={before} />
        <ArrowRight aria-label="became" className="size-5 text-quiet" />
        <OutcomeSide outcome={after} />
        <span className="ml-auto">
          {flipped ? <Badge tone="caution">The verdict flipped</Badge> : <Badge>The verdict stands</Badge>}
        </span>
      </div>
      {changes.length > 0 ? (
        <ul aria-label="What was changed" className="list-disc pl-5">
          {changes.map((change) => (
            <li key={change} className="words">
              {change}
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-quiet">Nothing was changed.</p>
      )}
      {notes.map((note) => (
        <p key={note} className="words rounded-lg bg-caution-ground px-3 py-2 text-sm text-caution">
          {note}
        </p>
      ))}
      {differences.length === 0 ? (
        <p>Every turn is the same as before.</p>
      ) : (
        <DataTable
          label="Differences"
          rows={differences}
          columns={[
            ['Turn', ({ at }) => at, 'font-mono text-sm whitespace-nowrap'],
            ['Before', (turn) => <PlainText text={turn.before} />, 'words min-w-52 text-sm'],
            ['After', (turn) => <PlainText text={turn.after} />, 'words min-w-52 text-sm'],
          ]}
        />
      )}
      <EntryList title="Argued again" keys={argued} none="Nothing was argued again." />
      <EntryList title="Reused from the first trial" keys={recalled} none="Nothing was reused." />
    </div>
  );
}

function OutcomeSide({ outcome: { label, risk, bar, rule } }: { outcome: Retrial['before'] }) {
  const stated = viewVerdictRisk({ risk, bar });
  return (
    <span className="grid gap-1">
      <span className="flex items-center gap-2">
        <LabelBadge label={label} />
        {stated && <RiskMeter risk={stated} width="w-12" saysBar />}
      </span>
      <span className="text-sm text-quiet">by {rule.id}</span>
    </span>
  );
}

function EntryList({ title, keys, none }: { title: string; keys: readonly string[]; none: string }) {
  if (keys.length === 0) return <p className="text-sm text-quiet">{none}</p>;
  return (
    <details>
      <summary className="w-fit text-sm text-link">
        {title}: {keys.length}
      </summary>
      <ul className="mt-1 flex flex-wrap gap-x-3 gap-y-1 font-mono text-sm text-quiet">
        {keys.map((key) => (
          <li key={key}>{key}</li>
        ))}
      </ul>
    </details>
  );
}
