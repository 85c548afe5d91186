import { Download } from 'lucide-react';
import { useState } from 'react';
import type { AnnotationProject } from '../../api/types.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Checkbox } from '../../components/field.tsx';

/** The labels as a file. */
export function ExportProject({ project: { id, progress } }: { project: AnnotationProject }) {
  const [settled, setSettled] = useState(true);
  const address = (format: 'jsonl' | 'csv') =>
    `/api/annotations/${encodeURIComponent(id)}/export?format=${format}&only=${settled ? 'settled' : 'all'}`;
  const labelled = progress.agreed + progress.adjudicated;
  return (
    <Dialog
      title="Export"
      description="Every item with its label, its votes and reasons, how far they agree, and what was adjudicated. Votes on items that are still open are left out."
      trigger={
        <Button>
          <Download aria-hidden className="size-4" /> Export
        </Button>
      }
    >
      <Checkbox
        label={`Only items that have a label (${labelled.toLocaleString()} of ${progress.items.toLocaleString()})`}
        checked={settled}
        onChange={(event) => setSettled(event.target.checked)}
      />
      <ul className="grid gap-3">
        <li className="grid gap-1">
          <a className={buttonClass('primary')} href={address('jsonl')} download>
            JSON Lines
          </a>
          <p className="text-sm text-quiet">
            For programs: beside its images it is a dataset for{' '}
            <code className="font-mono">agon bench moderation --data FILE</code> and{' '}
            <code className="font-mono">agon run</code>.
          </p>
        </li>
        <li className="grid gap-1">
          <a className={buttonClass()} href={address('csv')} download>
            CSV
          </a>
          <p className="text-sm text-quiet">For spreadsheets: nothing in it is computed by them.</p>
        </li>
      </ul>
    </Dialog>
  );
}
