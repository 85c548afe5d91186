import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classes } from './tones.ts';

interface TabsProps<Name extends string> {
  tabs: readonly { name: Name; label: ReactNode; panel: ReactNode }[];
  value: Name;
  onChange: (name: Name) => void;
  label: string;
}

/** Tabs over one place; what is shown belongs to the page's address. */
export function Tabs<Name extends string>({ tabs, value, onChange, label }: TabsProps<Name>) {
  return (
    <Radix.Root value={value} onValueChange={(name) => onChange(name as Name)} className="grid grid-cols-1 gap-4">
      <Radix.List aria-label={label} className="flex flex-wrap gap-x-1 border-b">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.name}
            value={tab.name}
            className={classes(
              '-mb-px border-b-2 border-transparent px-2 py-2 font-medium text-quiet max-sm:text-sm sm:px-3',
              'hover:text-ink data-[state=active]:border-link data-[state=active]:text-ink',
            )}
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ name, panel }) => (
        <Radix.Content key={name} value={name} className="grid grid-cols-1 gap-4 focus-visible:outline-offset-4">
          {panel}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
