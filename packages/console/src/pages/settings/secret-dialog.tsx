import { useMutation } from '@tanstack/react-query';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { invalidate } from '../../api/query-options.ts';
import { Button, CopyButton } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/field.tsx';

interface SecretDialogProps<Made> {
  icon: LucideIcon;
  trigger: string;
  /** Before it is made, and with what was made. */
  title: string;
  nameMade: (made: Made) => string;
  make: () => Promise<Made>;
  /** What is asked for anew. */
  changes: string;
  readSecret: (made: Made) => string;
  what: string;
  submit: string;
  onClosed: () => void;
  children: ReactNode;
}

/** Makes something whose secret the server tells once: here, and never again. */
export function SecretDialog<Made>(props: SecretDialogProps<Made>) {
  const { icon, trigger, title, nameMade, make, changes, readSecret, what, submit, onClosed, children } = props;
  const [open, setOpen] = useState(false);
  const create = useMutation({ mutationFn: make, onSuccess: () => invalidate(changes) });
  const turn = (to: boolean) => {
    setOpen(to);
    if (to) return;
    create.reset();
    onClosed();
  };
  const text = create.data && readSecret(create.data);
  return (
    <Dialog
      title={create.data ? nameMade(create.data) : title}
      trigger={trigger}
      triggerLook={{ variant: 'primary', icon }}
      open={open}
      onOpenChange={turn}
    >
      {text === undefined ? (
        <Form onSubmit={() => create.mutate()} sending={create} submit={submit}>
          {children}
        </Form>
      ) : (
        <>
          <p>Copy it now: the server keeps only its hash, and nobody can be shown this {what} again.</p>
          <p className="rounded-lg border bg-paper p-3 font-mono text-sm break-all">{text}</p>
          <div className="flex gap-2">
            <CopyButton text={text} />
            <Button size="small" onClick={() => turn(false)}>
              Done
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
