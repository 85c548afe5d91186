import { useNavigate } from '@tanstack/react-router';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { client, type SentAnnotationProject } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { buttonClass } from '../../components/button.tsx';
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx';
import { Checkbox } from '../../components/field.tsx';
import { showToast } from '../../components/toasts.tsx';

export function ExportProject({ project: { id, progress } }: { project: SentAnnotationProject }) {
  const [settled, setSettled] = useState(true);
  const address = (format: 'jsonl' | 'csv') =>
    `/api/annotations/${encodeURIComponent(id)}/export?format=${format}&only=${settled ? 'settled' : 'all'}`;
  const labelled = progress.agreed + progress.adjudicated;
  return (
    <Dialog
      title="Export"
      description={
        'Every item with its label, votes and reasons, agreement and adjudication. Votes on open items are ' +
        'left out.'
      }
      trigger="Export"
      triggerLook={{ icon: Download }}
    >
      <Checkbox
        label={`Only labelled items (${labelled.toLocaleString()} of ${progress.items.toLocaleString()})`}
        checked={settled}
        onChange={(event) => setSettled(event.target.checked)}
      />
      <ul className="grid gap-3">
        <li className="grid gap-1">
          <a className={buttonClass('primary')} href={address('jsonl')} download>
            JSON Lines
          </a>
          <p className="text-sm text-quiet">
            For programs. Together with its images, it is a dataset for{' '}
            <code className="font-mono">agon bench moderation --data FILE</code> and{' '}
            <code className="font-mono">agon run</code>. Tags, severity and marks come along.
          </p>
        </li>
        <li className="grid gap-1">
          <a className={buttonClass()} href={address('csv')} download>
            CSV
          </a>
          <p className="text-sm text-quiet">For spreadsheets. Cells that look like formulas are exported as text.</p>
        </li>
      </ul>
    </Dialog>
  );
}

export function RemoveProject({ project: { id, name, progress } }: { project: SentAnnotationProject }) {
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      title="Remove project"
      description={
        `This removes ${name} with its ${progress.items.toLocaleString()} items, its images and ` +
        `${progress.votes.toLocaleString()} votes. It cannot be undone, so export the project first.`
      }
      trigger="Remove"
      triggerLook={{ icon: Trash2, variant: 'danger' }}
      act={() => client.annotations.remove(id)}
      onDone={async () => {
        await navigate({ to: '/annotation' });
        queries.removeQueries({ queryKey: ['annotations'] });
        showToast(`${name} was removed.`);
      }}
      confirm="Remove project"
    />
  );
}
