import type { ComponentProps, ReactNode } from 'react';
import { classes } from './tones.ts';

/** A table that scrolls by itself where it is too wide. `label` says what it lists. */
export function Table({ label, head, children }: { label: string; head: readonly ReactNode[]; children: ReactNode }) {
  return (
    <div className="overflow-x-auto rounded-xl border bg-surface" tabIndex={0} role="region" aria-label={label}>
      <table className="w-full border-collapse text-left">
        <thead className="border-b text-sm text-quiet">
          <tr>
            {head.map((name, index) => (
              <th key={index} scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </div>
  );
}

export function Cell({ className, ...rest }: ComponentProps<'td'>) {
  return <td className={classes('px-3 py-2 align-top', className)} {...rest} />;
}
