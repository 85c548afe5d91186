import { useQuery } from '@tanstack/react-query';
import { describePersonal, formatPlural } from '@agonhq/engine/view';
import { client, type DisclosedRow } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { Card, QueryView, Section } from '../../components/page.tsx';
import { Facts } from '../../components/table.tsx';
import { When } from '../../components/text.tsx';

/** Who outside of Agon got what for a case: never the values themselves. */
export function Disclosures({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['cases', id, 'disclosures'],
    queryFn: ({ signal }) => client.cases.disclosures(id, { signal }),
  });
  return (
    <Section
      title="What left this machine"
      lead="What models were sent for this case, those on this machine too. Personal data is counted here, never shown."
    >
      <QueryView query={query} lines={3} what="Loading what left this machine">
        {({ disclosures }) =>
          disclosures.length === 0 ? (
            <p className="text-quiet">Nothing: no model outside of Agon was asked, its reply came from the cache.</p>
          ) : (
            <ul className="grid gap-4 xl:grid-cols-2">
              {disclosures.map((row) => (
                <li key={`${row.host} ${row.model}`} className="min-w-0">
                  <Got row={row} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Section>
  );
}

function Got({ row }: { row: DisclosedRow }) {
  const { host, model, here, requests, bytes, first, masked, unmasked, images, withheldImages, recordings } = row;
  const [hidden, open] = [describePersonal(masked), describePersonal(unmasked)];
  return (
    <Card className="grid gap-3">
      <h3 className="flex flex-wrap items-center gap-2 font-medium">
        <span className="words min-w-0">{host}</span>
        {here && <Badge tone="exoneration">On this machine</Badge>}
        {!here && open !== '' && <Badge tone="caution">Personal data as it is</Badge>}
        {hidden !== '' && <Badge tone="implicit">Masked</Badge>}
      </h3>
      <Facts
        facts={[
          [
            'Model',
            <span key="model" className="words font-mono text-sm">
              {model}
            </span>,
          ],
          ['When', <When key="when" moment={first} exact />],
          ['Sent', `${formatPlural(requests, 'request')}, ${bytes.toLocaleString()} bytes`],
          hidden === '' ? null : ['Masked', hidden],
          open === '' ? null : ['Went as it is', open],
          hidden === '' && open === '' ? ['Personal data', 'none found'] : null,
          images > 0 ? ['Images', `${images} sent, unmasked`] : null,
          withheldImages > 0 ? ['Images withheld', String(withheldImages)] : null,
          recordings > 0 ? ['Recordings', `${recordings} sent, unmasked`] : null,
        ]}
      />
    </Card>
  );
}
