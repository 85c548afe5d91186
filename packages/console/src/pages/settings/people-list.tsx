import { useQuery } from '@tanstack/react-query';
import type { SentActor } from '../../api/client.ts';
import { peopleQuery } from '../../api/query-options.ts';
import { TextLink } from '../../components/button.tsx';
import { QueryView, Section } from '../../components/page.tsx';
import { DataTable } from '../../components/table.tsx';
import { PlainText, When } from '../../components/text.tsx';

/** Who signed in or did something, as the audit log has it. */
export function PeopleList() {
  const people = useQuery(peopleQuery);
  return (
    <Section title="Seen lately" lead="Who signed in or changed something here, by the audit log.">
      <QueryView query={people} what="Loading people">
        {({ rows }) =>
          rows.length === 0 ? (
            <p className="text-quiet">Nobody with a key or an account did anything yet.</p>
          ) : (
            <DataTable
              label="Seen lately"
              rows={rows}
              columns={[
                ['Name', ({ name, key }) => <PlainText text={name ?? key} />, 'min-w-36'],
                ['Comes by', ({ kind }) => (kind === 'openid' ? 'account' : 'key'), 'whitespace-nowrap'],
                ['May', (row) => <Rights row={row} />, 'min-w-28'],
                ['Last seen', ({ lastSeen }) => <When moment={lastSeen} />],
                [
                  'Signed in',
                  ({ signedInAt }) =>
                    signedInAt === null ? <span className="text-quiet">never</span> : <When moment={signedInAt} />,
                ],
                ['Did', (row) => <Entries row={row} />, 'whitespace-nowrap'],
              ]}
            />
          )
        }
      </QueryView>
    </Section>
  );
}

function Rights({ row: { scopes, roles } }: { row: SentActor }) {
  return (
    <>
      {scopes === null ? <span className="text-quiet">not known any more</span> : scopes.join(', ') || 'nothing'}
      {roles.length > 0 && (
        <span className="block text-sm text-quiet">
          as <PlainText text={roles.join(', ')} />
        </span>
      )}
    </>
  );
}

function Entries({ row: { name, entries } }: { row: SentActor }) {
  const words = `${entries} ${entries === 1 ? 'entry' : 'entries'}`;
  if (name === null) return words;
  return (
    <TextLink to="/settings" search={{ tab: 'audit', who: name } as never} aria-label={`${words} of ${name}`}>
      {words}
    </TextLink>
  );
}
