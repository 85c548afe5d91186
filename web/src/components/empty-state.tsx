import { Inbox, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** Where there is nothing yet: what would be here, and a sample to try. */
export function EmptyState({
  title,
  children,
  action,
  icon: Icon = Inbox,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  icon?: LucideIcon;
}) {
  return (
    <div className="grid justify-items-center gap-3 rounded-xl border border-dashed bg-surface px-6 py-12 text-center">
      <Icon aria-hidden className="size-9 text-quiet" />
      <h2 className="text-xl">{title}</h2>
      {children && <div className="max-w-xl text-quiet">{children}</div>}
      {action && <div className="flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
