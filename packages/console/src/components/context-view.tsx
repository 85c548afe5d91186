import type { CasesAround } from '../api/client.ts';
import { ActionBadge, Badge, LabelBadge } from './badge.tsx';
import { Card, Section } from './page.tsx';
import { Facts } from './table.tsx';
import { PlainText, When } from './text.tsx';
import { CaseLink } from './button.tsx';

const names: Record<string, string> = {
  author: 'Author',
  thread: 'Thread',
  channel: 'Channel',
  language: 'Language',
  links: 'Links',
};

const order = Object.keys(names);

interface ContextViewProps {
  context: Readonly<Record<string, string | number | boolean | readonly string[]>> | null;
  /** The members that the debaters saw. */
  shown?: readonly string[];
}

/** What is known about an item beside what it says. Text and nothing else: links are not to be followed by accident. */
export function ContextView({ context, shown = [] }: ContextViewProps) {
  const members = Object.entries(context ?? {})
    .filter(([name]) => name !== 'quotable')
    .toSorted(([one], [other]) => placeOf(one) - placeOf(other));
  if (members.length === 0) return null;
  return (
    <Section title="Context">
      <Card>
        <Facts
          facts={members.map(([name, value]) => [
            names[name] ?? name,
            <span key={name} className="grid gap-1 wrap-anywhere">
              {(typeof value === 'object' ? value : [value]).map((one, index) => (
                <span key={index}>
                  <PlainText text={String(one)} />
                </span>
              ))}
              {shown.includes(name) && <span className="text-sm text-quiet">Seen by the debaters</span>}
            </span>,
          ])}
        />
      </Card>
    </Section>
  );
}

function placeOf(name: string): number {
  const place = order.indexOf(name);
  return place < 0 ? order.length : place;
}

/** What the same author wrote before, and the thread around it. */
export function CasesAroundView({ around, mayOpen }: { around: CasesAround; mayOpen: boolean }) {
  return (
    <>
      <NearbyCases title="Earlier by this author" rows={around.author} mayOpen={mayOpen} />
      <NearbyCases title="In this thread" rows={around.thread} mayOpen={mayOpen} />
    </>
  );
}

interface NearbyProps {
  title: string;
  rows: CasesAround['author'];
  mayOpen: boolean;
}

function NearbyCases({ title, rows, mayOpen }: NearbyProps) {
  if (rows.length === 0) return null;
  return (
    <Section title={title}>
      <ul className="grid gap-2">
        {rows.map(({ id, openedAt, excerpt, label, action, decided }) => {
          const words = <PlainText text={excerpt ?? id} />;
          return (
            <li key={id}>
              <Card className="grid gap-1.5 p-3">
                <span className="words line-clamp-3">{mayOpen ? <CaseLink id={id}>{words}</CaseLink> : words}</span>
                <span className="flex flex-wrap items-center gap-1.5 text-sm text-quiet">
                  {label === null ? <Badge>Not decided yet</Badge> : <LabelBadge label={label} />}
                  {action !== null && <ActionBadge action={action} />}
                  {decided && label !== null && <Badge tone="implicit">By a person</Badge>}
                  <When moment={openedAt} />
                </span>
              </Card>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
