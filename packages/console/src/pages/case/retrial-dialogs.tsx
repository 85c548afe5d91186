import { type SentAnswer, type SentCaseRecord, type SentJob, client } from '../../api/client.ts';
import { useServerTask } from '../../api/use-server-task.ts';
import { useSelf } from '../../session/session.ts';
import { Gavel, RotateCcw } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Dialog, type DialogProps } from '../../components/dialog.tsx';
import { Checklist, Form, InputField, type Option, SelectField, TextAreaField } from '../../components/field.tsx';
import { findLabelLook } from '../../components/badge.tsx';
import { formatWholePercent } from '../../components/bars.tsx';
import { findConsoleJob } from '../../jobs/index.ts';
import { followTurns, RetrialView } from './retrial-view.tsx';
import { invalidateCase } from '../cases/use-case-list.ts';
import { versionsQuery } from '../../api/query-options.ts';

type ReplayChange = 'precedents' | 'policy' | 'seats' | 'nothing';

const changeTitles: Record<ReplayChange, string> = {
  precedents: 'Without some precedents',
  policy: 'Use another policy',
  seats: 'Use other models in some seats',
  nothing: 'Nothing: does the result repeat?',
};

/** Holds a trial again with one thing changed: what the change does not touch is recalled, the rest is argued anew. */
export function ReplayDialog({ record, answer }: { record: SentCaseRecord; answer: SentAnswer }) {
  const { id } = record;
  const job = findConsoleJob(record.job);
  const precedents = job.record.listPrecedents(answer);
  const offered: ReplayChange[] = [
    ...(precedents.length > 0 ? ['precedents' as const] : []),
    ...(job.usesPolicy ? ['policy' as const] : []),
    'seats',
    'nothing',
  ];
  const [what, setWhat] = useState<ReplayChange>(offered[0]!);
  const [without, setWithout] = useState<readonly string[]>([]);
  const [policy, setPolicy] = useState('');
  const [seats, setSeats] = useState<Record<string, string>>({});
  const changed = Object.fromEntries(
    Object.entries(seats).flatMap(([seat, model]) => (model.trim() ? [[seat, model.trim()]] : [])),
  );
  const { change, isReady } = {
    precedents: { change: { withoutPrecedents: [...without] }, isReady: without.length > 0 },
    policy: { change: { policy }, isReady: policy !== '' },
    seats: { change: { seats: changed }, isReady: Object.keys(changed).length > 0 },
    nothing: { change: {}, isReady: true },
  }[what];
  return (
    <RetrialDialog
      id={id}
      stream={(signal) => client.cases.streamReplay(id, change, { signal })}
      title="Replay with one thing changed"
      description={
        'Turns that the change does not affect are reused; the rest is argued again. This shows what flips ' +
        'the verdict.'
      }
      trigger="Replay"
      triggerLook={{ icon: RotateCcw }}
      submit="Start replay"
      isReady={isReady}
      again="Change something else"
    >
      <SelectField
        label="Change"
        value={what}
        onChange={(value) => setWhat(value as ReplayChange)}
        options={offered.map((option) => [option, changeTitles[option]])}
      />
      {what === 'precedents' && (
        <Checklist
          legend="Leave out"
          look="items-start [&>input]:mt-1 [&>input]:flex-none"
          options={precedents.map(({ id: named, label, similarity, summary }) => [
            named,
            <span key={named}>
              <code className="font-mono text-sm">{named}</code>{' '}
              <span className="text-sm text-quiet">
                {findLabelLook(label).title}, {formatWholePercent(similarity)} similar
              </span>
              <span className="line-clamp-2 text-sm">{summary}</span>
            </span>,
          ])}
          chosen={without}
          onChange={setWithout}
        />
      )}
      {what === 'policy' && <PolicyChoice own={record.policy.hash} value={policy} onChange={setPolicy} />}
      {what === 'seats' && <SeatChoice record={record} answer={answer} value={seats} onChange={setSeats} />}
    </RetrialDialog>
  );
}

function PolicyChoice({ own, value, onChange }: { own: string; value: string; onChange: (hash: string) => void }) {
  const { data } = useQuery(versionsQuery);
  const others = data?.rows.filter(({ hash }) => hash !== own);
  if (others?.length === 0)
    return <p className="text-quiet">No other policy is on record. Write one on the Policy page.</p>;
  return (
    <SelectField
      label="Policy"
      value={value}
      onChange={onChange}
      none="Choose a policy"
      options={others?.map(({ hash, name, version, active }) => [
        hash,
        `${name} ${version}, ${hash.slice(7, 15)}${active ? ' (in force)' : ''}`,
      ])}
    />
  );
}

interface SeatChoiceProps {
  record: SentCaseRecord;
  answer: SentAnswer;
  value: Record<string, string>;
  onChange: (seats: Record<string, string>) => void;
}

function SeatChoice({ record, answer, value, onChange }: SeatChoiceProps) {
  const models = useModels(answer);
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2">
      <legend className="mb-1 text-sm text-quiet">As provider:model. Empty seats keep their model.</legend>
      {useSeats(record.job, answer).map(([seat, model]) => (
        <InputField
          key={seat}
          label={seat}
          suggestions={models}
          spellCheck={false}
          placeholder={model}
          value={value[seat] ?? ''}
          onChange={(text) => onChange({ ...value, [seat]: text })}
        />
      ))}
    </fieldset>
  );
}

/** Hears a case anew: before other seats than the first time, with what the person concerned says. */
export function AppealDialog({ record: { id, job }, answer }: { record: SentCaseRecord; answer: SentAnswer }) {
  const { takesStatement } = findConsoleJob(job).record;
  const [statement, setStatement] = useState('');
  const [model, setModel] = useState('');
  const given = { statement: statement.trim() || undefined, model: model.trim() || undefined };
  return (
    <RetrialDialog
      id={id}
      stream={(signal) => client.cases.streamAppeal(id, given, { signal })}
      title="Appeal"
      description={
        'The case is judged again, by other models where it has others. Nothing is reused, and the first ' +
        'verdict stays on record.'
      }
      trigger="Appeal"
      triggerLook={{ icon: Gavel }}
      submit="Start appeal"
      again="Change the appeal"
    >
      {takesStatement && (
        <TextAreaField
          label="Statement"
          hint="What the affected person says. It is weighed as evidence, never followed as an instruction."
          value={statement}
          maxLength={20_000}
          onChange={setStatement}
        />
      )}
      <InputField
        label="Model"
        hint="As provider:model. If empty, models other than the original ones are used, where the case has others."
        suggestions={useModels(answer)}
        spellCheck={false}
        value={model}
        onChange={setModel}
      />
    </RetrialDialog>
  );
}

interface RetrialDialogProps extends Pick<DialogProps, 'title' | 'description' | 'trigger' | 'triggerLook'> {
  id: string;
  stream: (signal: AbortSignal) => ReturnType<typeof client.cases.streamReplay>;
  submit: string;
  isReady?: boolean;
  again: string;
  children: ReactNode;
}

function RetrialDialog({ id, stream, submit, isReady = true, again, children, ...dialog }: RetrialDialogProps) {
  const retrial = useServerTask(stream, followTurns, () => invalidateCase(id));
  return (
    <Dialog wide {...dialog} onOpenChange={(open) => !open && retrial.reset()}>
      {retrial.state === 'idle' ? (
        <Form
          onSubmit={() => isReady && retrial.start()}
          submit={submit}
          submitLook={{ disabled: !isReady, className: 'w-fit' }}
        >
          {children}
        </Form>
      ) : (
        <RetrialView task={retrial} again={again} />
      )}
    </Dialog>
  );
}

/** The seats that can be filled otherwise, with who sat there; who voted without a role has the debate's seats. */
function useSeats(job: SentJob, { provenance }: SentAnswer): readonly (readonly [seat: string, model: string])[] {
  const { models } = useSelf();
  const withoutRole = Object.keys(provenance.models).some((seat) => /^(?:vote|peer|control)\b/.test(seat));
  return Object.entries(withoutRole ? (models[job] ?? {}) : provenance.models);
}

function useModels({ provenance }: SentAnswer): Option[] {
  const { models } = useSelf();
  const seats = [...Object.values(models), provenance.models].flatMap((named) => Object.values(named));
  return [...new Set(seats)].sort().map((model) => [model, model]);
}
