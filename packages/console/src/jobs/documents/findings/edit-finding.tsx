import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedFinding } from '@agonhq/documents/findings/list-findings';
import { client } from '../../../api/client.ts';
import { Checkbox, Form, InputField, TextAreaField } from '../../../components/field.tsx';
import { When } from '../../../components/text.tsx';
import { showToast } from '../../../components/toasts.tsx';
import { useReviewer } from '../../../session/reviewer.tsx';
import { useMay } from '../../../session/session.ts';
import { editsKey } from '../live-store.ts';

/** Words of one's own for the report. They stand beside the machine's, under the name of whoever wrote them. */
export function EditFinding({ id, finding: { id: finding, edit } }: { id: string; finding: ListedFinding }) {
  const mayReview = useMay('review');
  const queries = useQueryClient();
  const reviewer = useReviewer();
  const [name, setName] = useState(reviewer.name ?? '');
  const [wording, setWording] = useState(edit?.wording ?? '');
  const [note, setNote] = useState(edit?.note ?? '');
  const [leftOut, setLeftOut] = useState(edit?.leftOut ?? false);
  const send = useMutation({
    mutationFn: () => {
      if (!reviewer.fixed) reviewer.rename(name);
      const words = { wording: wording.trim(), note: note.trim(), leftOut };
      return client.findings.edit(id, finding, { ...words, by: reviewer.fixed ? undefined : name.trim() });
    },
    onSuccess: async () => {
      showToast('Kept for the report. The verdict stays as it is.');
      await queries.invalidateQueries({ queryKey: editsKey(id) });
    },
  });
  const kept = edit && (
    <p className="text-sm text-quiet">
      Last edited by {edit.by}, <When moment={new Date(edit.at).toISOString()} />.
    </p>
  );
  if (!mayReview)
    return edit ? (
      <div className="words grid gap-1">
        {edit.wording !== null && <p>{edit.wording}</p>}
        {edit.note !== null && <p className="text-sm">Note: {edit.note}</p>}
        {edit.leftOut && <p className="text-sm">Left out of exports.</p>}
        {kept}
      </div>
    ) : (
      <p className="text-sm text-quiet">Nobody has edited it.</p>
    );
  return (
    <Form
      onSubmit={() => send.mutate()}
      sending={send}
      submit="Keep for the report"
      submitLook={{ className: 'w-fit' }}
    >
      <TextAreaField
        label="In your own words"
        hint="Stands in the exports beside what the machine says."
        look="min-h-16!"
        value={wording}
        maxLength={5000}
        onChange={setWording}
      />
      <TextAreaField label="Note" look="min-h-16!" value={note} maxLength={5000} onChange={setNote} />
      <Checkbox label="Leave out of exports" checked={leftOut} onChange={({ target }) => setLeftOut(target.checked)} />
      {!reviewer.fixed && (
        <InputField
          label="Your name"
          hint="Your words are kept under this name."
          value={name}
          maxLength={200}
          required
          pattern=".*\S.*"
          onChange={setName}
        />
      )}
      {kept}
    </Form>
  );
}
