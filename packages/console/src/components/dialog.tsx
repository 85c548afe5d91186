import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button, type ButtonVariant } from './button.tsx';
import { ProblemNotice } from './page.tsx';
import { classes } from './tones.ts';

interface DialogProps {
  title: ReactNode;
  description?: ReactNode;
  trigger?: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
  wide?: boolean;
}

/** A question in front of the page. `trigger` opens it, or `open` says whether it is. */
export function Dialog({ title, description, trigger, open, onOpenChange, children, wide = false }: DialogProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {trigger && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
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

interface ConfirmDialogProps extends Omit<DialogProps, 'children'> {
  action: { mutate: () => void; isPending: boolean; error: unknown };
  confirm: string;
  variant?: ButtonVariant;
  children?: ReactNode;
}

/** Asks before something is done that cannot easily be undone. */
export function ConfirmDialog({ action, confirm, variant = 'danger', children, ...dialog }: ConfirmDialogProps) {
  return (
    <Dialog {...dialog}>
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
