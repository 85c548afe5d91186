import { useInfiniteQuery } from '@tanstack/react-query';
import { shorten } from '../../../../src/text/index.ts';
import type { AnnotationItem, AnnotationProject } from '../../api/types.ts';
import { Badge, LabelBadge } from '../../components/badge.tsx';
import { Button, TextLink } from '../../components/button.tsx';
import { SelectField } from '../../components/field.tsx';
import { Loading, ProblemNotice } from '../../components/placeholders.tsx';
import { PlainText } from '../../components/plain-text.tsx';
import { Cell, Table } from '../../components/table.tsx';
import type { Tone } from '../../components/tones.ts';
import { type By, itemsQuery } from '../../api/query-options.ts';

type State = AnnotationItem['state'];
export const itemStates = ['open', 'disputed', 'agreed', 'adjudicated'] as const satisfies readonly State[];
const stateLooks: Record<State, { words: string; tone: Tone }> = {
  open: { words: 'Open', tone: 'quiet' },
  disputed: { words: 'Disputed', tone: 'caution' },
  agreed: { words: 'Agreed', tone: 'exoneration' },
  adjudicated: { words: 'Adjudicated', tone: 'implicit' },
};
const excerptLength = 140;

/** Every item with what it came to. */
export function ItemsTable({
  project,
  by,
  state,
  show,
}: {
  project: AnnotationProject;
  by: By;
  state: State | undefined;
  show: (state: string) => void;
}) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    itemsQuery(project.id, state, by),
  );
  const items = data?.pages.flatMap(({ rows }) => rows);
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
      {error && <ProblemNotice error={error} retry={() => void refetch()} />}
      {!items && !error && <Loading what="Loading items" />}
      {items?.length === 0 && <p className="text-quiet">No {state} items.</p>}
      {items && items.length > 0 && (
        <Table label="Items" head={['ID', 'Content', 'State', 'Label', 'Votes']}>
          {items.map((item) => (
            <tr key={item.position}>
              <Cell className="words max-w-48 min-w-28">
                {item.state === 'open' ? (
                  <TextLink
                    to="/annotation/$project"
                    params={{ project: project.id }}
                    search={{ item: item.position } as never}
                  >
                    {item.id}
                  </TextLink>
                ) : (
                  item.id
                )}
              </Cell>
              <Cell className="words min-w-56 text-sm">
                <PlainText text={writeExcerpt(item)} />
              </Cell>
              <Cell className="whitespace-nowrap">
                <Badge tone={stateLooks[item.state].tone}>{stateLooks[item.state].words}</Badge>
              </Cell>
              <Cell className="whitespace-nowrap">
                {item.label === null ? <span className="text-quiet">–</span> : <LabelBadge label={item.label} />}
              </Cell>
              <Cell className="words min-w-36 text-sm">
                {item.votes === null
                  ? `${item.voted} of ${project.votes}${item.yours ? `, yours: ${item.yours.label}` : ''}`
                  : item.votes.map((vote) => `${vote.by}: ${vote.label}`).join(', ')}
              </Cell>
            </tr>
          ))}
        </Table>
      )}
      {hasNextPage && (
        <Button className="justify-self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </div>
  );
}

function writeExcerpt({ text, prompt, response, images }: AnnotationItem): string {
  const words = [text, prompt, response].filter((part) => part !== null).join(' · ');
  const pictures = images.length === 0 ? '' : images.length === 1 ? '[image] ' : `[${images.length} images] `;
  return `${pictures}${shorten(words, excerptLength)}`;
}
