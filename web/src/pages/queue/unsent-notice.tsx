import { useMutation } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { showToast, showProblem } from '../../components/toasts.tsx';
import { useReviewer } from '../../session/reviewer.ts';
import { useReviewSession } from './review-session.ts';
import { sendDecision } from './send-decision.ts';

/** Decisions that did not reach the server: kept here until they do. */
export function UnsentNotice({ except }: { /** The case on the desk says so itself. */ except?: string }) {
  const { name } = useReviewer();
  const unsent = useReviewSession().unsent.filter(({ id, reviewer }) => id !== except && reviewer === name);
  const send = useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      for (const one of unsent) await sendDecision(one);
    },
    onSuccess: () => showToast('Your decisions are on record.'),
    onError: showProblem,
  });
  if (unsent.length === 0) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 rounded-xl border border-caution bg-caution-ground p-4 text-caution"
    >
      <CloudOff aria-hidden className="size-5 flex-none" />
      <p className="min-w-0 flex-1 basis-64">
        {unsent.length === 1 ? 'A decision of yours has' : `${unsent.length} decisions of yours have`} not reached the
        server. They are kept as long as this page is open.
      </p>
      <Button size="small" busy={send.isPending} onClick={() => send.mutate()}>
        Send again
      </Button>
    </div>
  );
}
