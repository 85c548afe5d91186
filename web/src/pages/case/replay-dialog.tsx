import { useQuery } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useId, useState } from 'react';
import { client } from '../../api/client.ts';
import type { Answer, CaseRecord } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Checkbox, Form, InputField, SelectField } from '../../components/field.tsx';
import { findLabelLook } from '../../components/badge.tsx';
import { formatWholePercent } from '../../components/bars.tsx';
import { findJob } from '../../jobs/index.ts';
import { RetrialView } from './retrial-view.tsx';
import { useModels, useRetrial, useSeats } from './use-retrial.ts';

type ReplayChange = 'precedents' | 'policy' | 'seats' | 'nothing';

const changeTitles: Record<ReplayChange, string> = {
  precedents: 'Without some precedents',
  policy: 'Use another policy',
  seats: 'Use other models in some seats',
  nothing: 'Nothing: does the result repeat?',
};

/** Holds a trial again with one thing changed: what the change does not touch is recalled, the rest is argued anew. */
export function ReplayDialog({ record, answer }: { record: CaseRecord; answer: Answer }) {
  const { id } = record;
  const job = findJob(record.job);
  const precedents = job.record.listPrecedents(answer);
  const offered: ReplayChange[] = [
    ...(precedents.length > 0 ? ['precedents' as const] : []),
    ...(job.usesPolicy ? ['policy' as const] : []),
    'seats',
    'nothing',
  ];
  const [what, setWhat] = useState<ReplayChange>(offered[0]!);
  const [without, setWithout] = useState<ReadonlySet<string>>(new Set());
  const [policy, setPolicy] = useState('');
  const [seats, setSeats] = useState<Record<string, string>>({});
  const changed = Object.fromEntries(
    Object.entries(seats).flatMap(([seat, model]) => (model.trim() ? [[seat, model.trim()]] : [])),
  );
  const change = {
    precedents: { withoutPrecedents: [...without] },
    policy: { policy },
    seats: { seats: changed },
    nothing: {},
  }[what];
  const isReady = {
    precedents: without.size > 0,
    policy: policy !== '',
    seats: Object.keys(changed).length > 0,
    nothing: true,
  }[what];
  const underWay = useRetrial(id, (signal) => job.record.calls(client).streamReplay(id, change, { signal }));
  return (
    <Dialog
      wide
      title="Replay with one thing changed"
      description={
        'Turns that the change does not affect are reused; the rest is argued again. This shows what flips ' +
        'the verdict.'
      }
      trigger={<Button icon={RotateCcw}>Replay</Button>}
      onOpenChange={(open) => !open && underWay.reset()}
    >
      {underWay.state === 'idle' ? (
        <Form onSubmit={() => isReady && underWay.start()}>
          <SelectField
            label="Change"
            value={what}
            onChange={(value) => setWhat(value as ReplayChange)}
            options={offered.map((option) => [option, changeTitles[option]])}
          />
          {what === 'precedents' && (
            <fieldset className="grid gap-2">
              <legend className="mb-1 text-sm font-medium">Leave out</legend>
              {precedents.map((precedent) => (
                <Checkbox
                  key={precedent.id}
                  className="items-start [&>input]:mt-1 [&>input]:flex-none"
                  label={
                    <span>
                      <code className="font-mono text-sm">{precedent.id}</code>{' '}
                      <span className="text-sm text-quiet">
                        {findLabelLook(precedent.label).title}, {formatWholePercent(precedent.similarity)} similar
                      </span>
                      <span className="line-clamp-2 text-sm">{precedent.summary}</span>
                    </span>
                  }
                  checked={without.has(precedent.id)}
                  onChange={({ target }) =>
                    setWithout(
                      new Set(
                        target.checked ? [...without, precedent.id] : [...without].filter((id) => id !== precedent.id),
                      ),
                    )
                  }
                />
              ))}
            </fieldset>
          )}
          {what === 'policy' && <PolicyChoice own={record.policy.hash} value={policy} onChange={setPolicy} />}
          {what === 'seats' && <SeatChoice record={record} answer={answer} value={seats} onChange={setSeats} />}
          <Button type="submit" variant="primary" disabled={!isReady} className="w-fit">
            Start replay
          </Button>
        </Form>
      ) : (
        <RetrialView underWay={underWay} again="Change something else" />
      )}
    </Dialog>
  );
}

function PolicyChoice({ own, value, onChange }: { own: string; value: string; onChange: (hash: string) => void }) {
  const { data } = useQuery({
    queryKey: ['policies', 'list'],
    queryFn: ({ signal }) => client.policies.list({ signal }),
  });
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
  record: CaseRecord;
  answer: Parameters<typeof useSeats>[1];
  value: Record<string, string>;
  onChange: (seats: Record<string, string>) => void;
}

function SeatChoice({ record, answer, value, onChange }: SeatChoiceProps) {
  const list = useId();
  const models = useModels(answer);
  return (
    <fieldset className="grid gap-3 sm:grid-cols-2">
      <legend className="mb-1 text-sm text-quiet">As provider:model. Empty seats keep their model.</legend>
      {useSeats(record.job, answer).map(([seat, model]) => (
        <InputField
          key={seat}
          label={seat}
          list={list}
          spellCheck={false}
          placeholder={model}
          value={value[seat] ?? ''}
          onChange={(text) => onChange({ ...value, [seat]: text })}
        />
      ))}
      <datalist id={list}>
        {models.map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
    </fieldset>
  );
}
