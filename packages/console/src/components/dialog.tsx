import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { Button, type ButtonLook, type ButtonVariant } from './button.tsx';
import { Form, type FormProps } from './field.tsx';
import { ProblemNotice } from './page.tsx';
import { classes } from './tones.ts';
import { type Action, useAction } from './use-action.ts';

export interface DialogProps {
  title: ReactNode;
  description?: ReactNode;
  /** What opens it: the words of a button, or something of its own. */
  trigger?: ReactNode;
  triggerLook?: ButtonLook;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
  wide?: boolean;
}

/** A question in front of the page. `trigger` opens it, or `open` says whether it is. */
export function Dialog(props: DialogProps) {
  const { title, description, trigger, triggerLook, open, onOpenChange, children, wide = false } = props;
  const opener = typeof trigger === 'string' ? <Button {...triggerLook}>{trigger}</Button> : trigger;
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {opener && <Radix.Trigger asChild>{opener}</Radix.Trigger>}
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.5)]" />
        <Radix.Content
          className={classes(
            'fixed top-1/2 left-1/2 z-50 grid max-h-[90dvh] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2',
            'gap-4 overflow-y-auto rounded-xl border bg-surface p-5 shadow-xl',
            wide ? 'max-w-4xl' : 'max-w-xl',
          )}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <Radix.Title className="pr-8 font-serif text-xl">{title}</Radix.Title>
          {description && <Radix.Description className="-mt-2 text-quiet">{description}</Radix.Description>}
          {children}
          {/* The last one: who opens a dialog begins where its work begins. */}
          <Radix.Close aria-label="Close" className="absolute top-4 right-4 rounded-lg p-1 text-quiet hover:text-ink">
            <X aria-hidden className="size-5" />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** What it is for: once that is done it closes; what went wrong stands in it. */
interface ActionDialogProps<Result> extends Omit<DialogProps, 'open' | 'onOpenChange' | 'children'>, Action<Result> {
  children?: ReactNode;
}

function useDialogAction<Result>({ act, ...rest }: Action<Result>) {
  const [open, setOpen] = useState(false);
  const actAndClose = async () => {
    const result = await act();
    setOpen(false);
    return result;
  };
  return { open, setOpen, action: useAction({ ...rest, act: actAndClose }, () => undefined) };
}

interface ConfirmDialogProps<Result> extends ActionDialogProps<Result> {
  confirm: string;
  variant?: ButtonVariant;
}

/** Asks before something is done that cannot easily be undone. */
export function ConfirmDialog<Result>(props: ConfirmDialogProps<Result>) {
  const { act, changes, says, onDone, confirm, variant = 'danger', children, ...dialog } = props;
  const { open, setOpen, action } = useDialogAction({ act, changes, says, onDone });
  return (
    <Dialog open={open} onOpenChange={setOpen} {...dialog}>
      {children}
      {action.error !== null && <ProblemNotice error={action.error} />}
      <div className="flex flex-wrap gap-2">
        <Button variant={variant} busy={action.isPending} onClick={() => action.mutate()}>
          {confirm}
        </Button>
        <Radix.Close asChild>
          <Button>Cancel</Button>
        </Radix.Close>
      </div>
    </Dialog>
  );
}

interface FormDialogProps<Result> extends ActionDialogProps<Result>, Pick<FormProps, 'submit' | 'submitLook'> {
  onOpen?: () => void;
}

/** Asks for what something is done with. */
export function FormDialog<Result>(props: FormDialogProps<Result>) {
  const { act, changes, says, onDone, onOpen, submit, submitLook, children, ...dialog } = props;
  const { open, setOpen, action } = useDialogAction({ act, changes, says, onDone });
  const turn = (next: boolean) => {
    action.reset();
    if (next) onOpen?.();
    setOpen(next);
  };
  return (
    <Dialog open={open} onOpenChange={turn} {...dialog}>
      <Form onSubmit={() => action.mutate()} sending={action} submit={submit} submitLook={submitLook}>
        {children}
      </Form>
    </Dialog>
  );
}
