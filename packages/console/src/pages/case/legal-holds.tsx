import { Lock } from 'lucide-react';
import { useState } from 'react';
import { client, type SentCaseRecord } from '../../api/client.ts';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Checkbox, InputField } from '../../components/field.tsx';
import { Card } from '../../components/page.tsx';
import { When } from '../../components/text.tsx';
import { useMay } from '../../session/session.ts';
import { invalidateCase } from '../cases/use-case-list.ts';

type Hold = SentCaseRecord['holds'][number];

/** The holds that keep a case from being deleted; nothing where there are none. */
export function LegalHolds({ record }: { record: SentCaseRecord }) {
  const mayLift = useMay('admin');
  if (record.holds.length === 0) return null;
  return (
    <Card className="grid gap-3" role="note" aria-label="Legal hold">
      {record.holds.map((hold) => (
        <div key={hold.id} className="flex flex-wrap items-start justify-between gap-3">
          <p className="flex gap-2">
            <Lock aria-hidden className="mt-1 size-4 shrink-0" />
            <span>
              <strong className="font-medium">Legal hold</strong>: {hold.reason}{' '}
              <span className="text-sm text-quiet">
                Nothing of it can be deleted. Placed by {hold.by} <When moment={hold.at} />
                {hold.author !== null && `, on everything of the author ${hold.author}`}
                {hold.case !== null && hold.case !== record.id && `, on case ${hold.case} about the same content`}
                {hold.until !== null && (
                  <>
                    , until <When moment={hold.until} exact />
                  </>
                )}
                .
              </span>
            </span>
          </p>
          {mayLift && <LiftDialog record={record} hold={hold} />}
        </div>
      ))}
    </Card>
  );
}

function LiftDialog({ record, hold }: { record: SentCaseRecord; hold: Hold }) {
  const [why, setWhy] = useState('');
  return (
    <ConfirmDialog
      title="Lift this hold?"
      description="What it covered can be deleted again. The hold stays on record."
      trigger="Lift"
      act={() => client.holds.lift(hold.id, { why })}
      says={() => 'The hold is lifted.'}
      onDone={() => invalidateCase(record.id)}
      confirm="Lift the hold"
    >
      <InputField label="Why it is over" value={why} onChange={setWhy} required />
    </ConfirmDialog>
  );
}

/** Places a hold on a case, or on everything of its author. */
export function HoldDialog({ record: { id, author } }: { record: SentCaseRecord }) {
  const [reason, setReason] = useState('');
  const [onAuthor, setOnAuthor] = useState(false);
  return (
    <ConfirmDialog
      title="Place a legal hold?"
      description="Neither retention nor forgetting takes away what it covers, until it is lifted."
      trigger="Hold"
      triggerLook={{ icon: Lock }}
      act={() => client.holds.place({ reason, ...(onAuthor && author !== null ? { author } : { case: id }) })}
      says={() => 'The hold is placed.'}
      onDone={() => {
        setReason('');
        return invalidateCase(id);
      }}
      confirm="Place the hold"
      variant="primary"
    >
      <InputField label="Reason" value={reason} onChange={setReason} required />
      {author !== null && (
        <Checkbox
          label={`Everything of the author ${author}, later cases too`}
          checked={onAuthor}
          onChange={(event) => setOnAuthor(event.target.checked)}
        />
      )}
    </ConfirmDialog>
  );
}
