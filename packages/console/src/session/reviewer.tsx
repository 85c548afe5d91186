import type { By } from '../api/query-options.ts';
import { PenLine } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { createStore, readStored, writeStored } from '../browser-storage.ts';
import { Button } from '../components/button.tsx';
import { Card } from '../components/page.tsx';
import { Form, InputField } from '../components/field.tsx';
import { useSelf } from './session.ts';

interface AskReviewerNameProps {
  reviewer: Reviewer;
  why: ReactNode;
  onDone?: () => void;
}

/** Asks for the name that decisions are made in, where no key says it. */
export function AskReviewerName({ reviewer, why, onDone }: AskReviewerNameProps) {
  const [name, setName] = useState(reviewer.name ?? '');
  return (
    <Card className="max-w-xl">
      <Form
        className="grid gap-3"
        onSubmit={() => {
          reviewer.rename(name);
          onDone?.();
        }}
      >
        <InputField
          label="Your name"
          hint={why}
          required
          maxLength={100}
          pattern=".*\S.*"
          autoComplete="name"
          value={name}
          onChange={setName}
        />
        <div className="flex gap-2">
          <Button type="submit" variant="primary">
            Continue{' '}
          </Button>
          {onDone && reviewer.name !== null && <Button onClick={onDone}>Cancel</Button>}
        </div>
      </Form>
    </Card>
  );
}

/** The name that words are kept under: a field for it where no key says it, and what a request carries. */
export function useNameField(hint: string) {
  const reviewer = useReviewer();
  const [name, setName] = useState(reviewer.name ?? '');
  return {
    nameField: !reviewer.fixed && (
      <InputField
        label="Your name"
        hint={hint}
        value={name}
        maxLength={200}
        required
        pattern=".*\S.*"
        onChange={setName}
      />
    ),
    takeName(): string | undefined {
      if (reviewer.fixed) return undefined;
      reviewer.rename(name);
      return name.trim();
    },
  };
}

/** In whose name one works; where no key says it, it can be changed. */
export function ReviewerName({ reviewer, onRename }: { reviewer: Reviewer; onRename: () => void }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-sm text-quiet">
      <span>
        You are <strong className="font-medium text-ink">{reviewer.name}</strong>
      </span>
      {!reviewer.fixed && (
        <Button icon={PenLine} size="small" variant="quiet" onClick={onRename}>
          Change
        </Button>
      )}
    </p>
  );
}

const storedName = createStore(readStored('reviewer'));

export type Reviewer = ReturnType<typeof useReviewer>;

/** Who reviews: the key's reviewer, or, where no keys are needed, who they say they are. */
export function useReviewer() {
  const { key } = useSelf();
  const own = storedName.useState() || null;
  const by: By = key || own === null ? {} : { by: own };
  return {
    /** In whose name decisions are made; null until somebody said it. */
    name: key ? (key.reviewer ?? key.name) : own,
    /** The key says it: it cannot be changed here. */
    fixed: key !== null,
    /** What requests carry: nothing where the key says it. */
    by,
    rename(name: string) {
      writeStored('reviewer', name.trim());
      storedName.set(name.trim());
    },
  };
}
