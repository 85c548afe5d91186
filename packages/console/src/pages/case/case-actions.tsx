import { AppealDialog, ReplayDialog } from './retrial-dialogs.tsx';
import { useMutation } from '@tanstack/react-query';
import { Eraser } from 'lucide-react';
import { useState } from 'react';
import { client, type SentCaseRecord } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { showToast } from '../../components/toasts.tsx';
import { useMay } from '../../session/session.ts';
import { HoldDialog } from './legal-holds.tsx';
import { invalidateCase } from '../cases/use-case-list.ts';

export function CaseActions({ record }: { record: SentCaseRecord }) {
  const mayJudge = useMay('judge');
  const mayForget = useMay('admin');
  const isHeld = record.holds.length > 0;
  const { answer } = record;
  return (
    <>
      {mayJudge && answer && <ReplayDialog record={record} answer={answer} />}
      {mayJudge && answer && <AppealDialog record={record} answer={answer} />}
      {mayForget && <HoldDialog record={record} />}
      {mayForget && !isHeld && record.forgottenAt === null && <ForgetDialog record={record} />}
    </>
  );
}

/** Takes away what was judged. It cannot be brought back: what goes and what stays is said first. */
function ForgetDialog({ record }: { record: SentCaseRecord }) {
  const [open, setOpen] = useState(false);
  const forget = useMutation({
    mutationFn: () => client.cases.forget(record.id),
    onSuccess: async ({ cases }) => {
      setOpen(false);
      showToast(cases === 1 ? 'Content forgotten.' : `Content forgotten in ${cases} cases.`);
      await invalidateCase(record.id);
    },
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={setOpen}
      title="Forget this content?"
      description="This cannot be undone."
      trigger={
        <Button icon={Eraser} variant="danger">
          Forget
        </Button>
      }
      action={forget}
      confirm="Forget content"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <div>
          <h3 className="font-medium text-risk">What is deleted</h3>
          <ul className="mt-1 list-disc pl-5">
            <li>the content: texts, images, documents</li>
            <li>everything said about it, in every case about the same content, including replays and appeals</li>
            <li>precedents learnt from it</li>
          </ul>
        </div>
        <div>
          <h3 className="font-medium text-exoneration">What is kept</h3>
          <ul className="mt-1 list-disc pl-5">
            <li>the verdict, its score and the rule that decided</li>
            <li>the seal</li>
            <li>human decisions</li>
          </ul>
        </div>
      </div>
    </ConfirmDialog>
  );
}
