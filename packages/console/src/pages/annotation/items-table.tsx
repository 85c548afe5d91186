import { useInfiniteQuery } from '@tanstack/react-query';
import { shorten } from '@agonhq/engine/text';
import type { SentAnnotationItem, SentAnnotationProject } from '../../api/client.ts';
import { Badge, LabelBadge } from '../../components/badge.tsx';
import { TextLink } from '../../components/button.tsx';
import { SelectField } from '../../components/field.tsx';
import { ListView } from '../../components/page.tsx';
import { PlainText } from '../../components/text.tsx';
import { DataTable } from '../../components/table.tsx';
import type { ColourTone } from '../../components/tones.ts';
import { type By, itemsQuery } from '../../api/query-options.ts';

type State = SentAnnotationItem['state'];
export const itemStates = ['open', 'disputed', 'agreed', 'adjudicated'] as const satisfies readonly State[];
const stateLooks: Record<State, { words: string; tone: ColourTone }> = {
  open: { words: 'Open', tone: 'quiet' },
  disputed: { words: 'Disputed', tone: 'caution' },
  agreed: { words: 'Agreed', tone: 'exoneration' },
  adjudicated: { words: 'Adjudicated', tone: 'implicit' },
};
const excerptLength = 140;

interface ItemsTableProps {
  project: SentAnnotationProject;
  by: By;
  state: State | undefined;
  show: (state: string) => void;
}

export function ItemsTable({ project, by, state, show }: ItemsTableProps) {
  const list = useInfiniteQuery(itemsQuery(project.id, state, by));
  return (
    <div className="grid gap-4">
      <SelectField
        label="Show"
        className="max-w-48"
        value={state ?? ''}
        onChange={show}
        none="All items"
        options={itemStates.map((one) => [one, stateLooks[one].words])}
      />
      <ListView list={list} what="Loading items" centred empty={<p className="text-quiet">No {state} items.</p>}>
        {(items) => (
          <DataTable
            label="Items"
            rows={items}
            columns={[
              ['ID', (item) => <ItemId project={project.id} item={item} />, 'words max-w-48 min-w-28'],
              ['Content', (item) => <PlainText text={writeExcerpt(item)} />, 'words min-w-56 text-sm'],
              [
                'State',
                (item) => <Badge tone={stateLooks[item.state].tone}>{stateLooks[item.state].words}</Badge>,
                'whitespace-nowrap',
              ],
              [
                'Label',
                ({ label }) => (label === null ? <span className="text-quiet">–</span> : <LabelBadge label={label} />),
                'whitespace-nowrap',
              ],
              ...(project.marking === null ? [] : [findingColumn]),
              [
                'Votes',
                ({ votes, voted, yours }) =>
                  votes === null
                    ? `${voted} of ${project.votes}${yours ? `, yours: ${yours.label}` : ''}`
                    : votes.map((vote) => `${vote.by}: ${vote.label}`).join(', '),
                'words min-w-36 text-sm',
              ],
            ]}
          />
        )}
      </ListView>
    </div>
  );
}

const findingColumn: [string, (item: SentAnnotationItem) => string, string] = [
  'Found',
  ({ finding }) => (finding ? describeFinding(finding) : '–'),
  'words min-w-36 text-sm',
];

/** `violence.plan (high), 2 marks`. */
function describeFinding({ tags, severity, marks }: NonNullable<SentAnnotationItem['finding']>): string {
  const found = `${tags.join(', ') || 'No tags'}${severity === null ? '' : ` (${severity})`}`;
  return marks.length === 0 ? found : `${found}, ${marks.length} ${marks.length === 1 ? 'mark' : 'marks'}`;
}

function ItemId({ project, item: { id, state, position } }: { project: string; item: SentAnnotationItem }) {
  if (state !== 'open') return id;
  return (
    <TextLink to="/annotation/$project" params={{ project }} search={{ item: position } as never}>
      {id}
    </TextLink>
  );
}

function writeExcerpt({ text, prompt, response, images }: SentAnnotationItem): string {
  const words = [text, prompt, response].filter((part) => part !== null).join(' · ');
  const pictures = images.length === 0 ? '' : images.length === 1 ? '[image] ' : `[${images.length} images] `;
  return `${pictures}${shorten(words, excerptLength)}`;
}
