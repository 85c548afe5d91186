import type { GivenEdit } from '@agonhq/judges/job/findings';
import { Paragraph, PlainText } from '../../../components/text.tsx';

/** A person's words on a finding for the report: beside what the machine says of it, and never in its place. */
export function EditWords({ edit: { wording, note, leftOut, by, at } }: { edit: GivenEdit }) {
  return (
    <div className="words grid gap-1">
      {wording !== null && <Paragraph text={wording} />}
      {note !== null && <Paragraph text={`Note: ${note}`} className="text-sm" />}
      {leftOut && <p className="text-sm">Left out of tables, brief and annotated copy.</p>}
      <p className="text-sm text-quiet">
        A person’s words: <PlainText text={by} />, {new Date(at).toISOString().slice(0, 10)}.
      </p>
    </div>
  );
}
