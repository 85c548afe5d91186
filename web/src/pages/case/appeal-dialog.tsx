import { Gavel } from 'lucide-react';
import { useId, useState } from 'react';
import { client } from '../../api/client.ts';
import type { Answer, CaseRecord } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form, InputField, TextAreaField } from '../../components/field.tsx';
import { findJob } from '../../jobs/index.ts';
import { RetrialView } from './retrial-view.tsx';
import { useModels, useRetrial } from './use-retrial.ts';

/** Hears a case anew: before other seats than the first time, with what the person concerned says. */
export function AppealDialog({ record: { id, job: jobId }, answer }: { record: CaseRecord; answer: Answer }) {
  const { takesStatement, calls } = findJob(jobId).record;
  const list = useId();
  const models = useModels(answer);
  const [statement, setStatement] = useState('');
  const [model, setModel] = useState('');
  const underWay = useRetrial(id, (signal) =>
    calls(client).streamAppeal(
      id,
      {
        ...(statement.trim() ? { statement: statement.trim() } : {}),
        ...(model.trim() ? { model: model.trim() } : {}),
      },
      { signal },
    ),
  );
  return (
    <Dialog
      wide
      title="Appeal"
      description={
        'The case is judged again, by other models where it has others. Nothing is reused, and the first ' +
        'verdict stays on record.'
      }
      trigger={<Button icon={Gavel}>Appeal</Button>}
      onOpenChange={(open) => !open && underWay.reset()}
    >
      {underWay.state === 'idle' ? (
        <Form onSubmit={() => underWay.start()}>
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
            list={list}
            spellCheck={false}
            value={model}
            onChange={setModel}
          />
          <datalist id={list}>
            {models.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <Button type="submit" variant="primary" className="w-fit">
            Start appeal
          </Button>
        </Form>
      ) : (
        <RetrialView underWay={underWay} again="Change the appeal" />
      )}
    </Dialog>
  );
}
