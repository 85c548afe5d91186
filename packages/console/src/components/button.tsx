import { createLink } from '@tanstack/react-router';
import { Copy, Download, LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { showToast } from './toasts.tsx';
import { classes } from './tones.ts';

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger';

const looks: Record<ButtonVariant, string> = {
  primary: 'border-link bg-link text-surface hover:opacity-90',
  secondary: 'border-line bg-surface text-ink hover:border-quiet',
  quiet: 'border-transparent bg-transparent text-link hover:border-line',
  danger: 'border-risk bg-surface text-risk hover:bg-risk-ground',
};

/** The classes of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant = 'secondary', size: 'normal' | 'small' = 'normal'): string {
  return classes(
    'inline-flex items-center justify-center gap-2 rounded-lg border font-medium no-underline transition-colors ' +
      'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:opacity-55',
    size === 'normal' ? 'min-h-10 px-4 py-1.5' : 'min-h-8 px-2.5 py-0.5 text-sm',
    looks[variant],
  );
}

export interface ButtonLook {
  variant?: ButtonVariant;
  size?: 'normal' | 'small';
  icon?: LucideIcon;
  className?: string;
}

interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  /** Something is under way: it cannot be pressed again, and says so. */
  busy?: boolean;
}

export function Button({
  variant,
  size,
  icon: Icon,
  busy = false,
  disabled,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      className={classes(buttonClass(variant, size), className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy && <LoaderCircle aria-hidden className="size-4 animate-spin" />}
      {Icon && <Icon aria-hidden className="size-4" />} {children}
    </button>
  );
}

type LinkProps = ComponentProps<'a'> & ButtonLook;

/** A way to another page that looks like a button. */
export const ButtonLink = createLink(({ variant, size, icon: Icon, className, children, ...rest }: LinkProps) => (
  <a className={classes(buttonClass(variant, size), className)} {...rest}>
    {Icon && <Icon aria-hidden className="size-4" />} {children}
  </a>
));

/** A file to have from the server. */
export function DownloadLink({ variant, size, className, children, ...rest }: Omit<LinkProps, 'icon'>) {
  return (
    <a className={classes(buttonClass(variant, size), className)} download {...rest}>
      <Download aria-hidden className="size-4" /> {children}
    </a>
  );
}

/** A way to another page within words. */
export const TextLink = createLink(({ className, ...rest }: ComponentProps<'a'>) => (
  <a className={classes('text-link underline', className)} {...rest} />
));

export function CaseLink({ id, ...rest }: { id: string; children: ReactNode; className?: string }) {
  return <TextLink to="/cases/$id" params={{ id }} {...rest} />;
}

export function CopyButton({ text, children = 'Copy' }: { text: string; children?: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      showToast('Copied.');
    } catch {
      showToast('The browser blocked copying. Select the text and copy it manually.', 'bad');
    }
  };
  return (
    <Button size="small" icon={Copy} onClick={() => void copy()}>
      {children}
    </Button>
  );
}
