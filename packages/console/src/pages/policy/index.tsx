import { useQuery } from '@tanstack/react-query';
import { Page, QueryView } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { pickOne, useSearchState } from '../../routing/search.ts';
import { useMay } from '../../session/session.ts';
import { EditPolicy } from './edit-policy.tsx';
import { ReadPolicy } from './read-policy.tsx';
import { Versions } from './versions.tsx';
import { policyQuery, versionsQuery } from '../../api/query-options.ts';

const tabs = ['read', 'edit', 'versions'] as const;

/** The rulebook: read it, change it, see what a change would do before it goes live. */
export function PolicyPage() {
  const [{ tab, hash, against }, change] = useSearchState((raw) => ({
    tab: pickOne(tabs, raw['tab']) ?? 'read',
    hash: raw['hash'] ?? 'active',
    against: raw['against'],
  }));
  const mayReview = useMay('review');
  const policy = useQuery(policyQuery(hash));
  const versions = useQuery(versionsQuery);
  const active = versions.data?.rows.find((version) => version.active);
  const isActive = hash === 'active' || hash === active?.hash;
  const shown = tab === 'edit' && !mayReview ? 'read' : tab;
  return (
    <Page
      title="Policy"
      lead="The rules behind every verdict. Each case records the policy’s hash, so wording changes are visible."
    >
      <Tabs
        label="Policy"
        value={shown}
        onChange={(name) => change({ tab: name === 'read' ? undefined : name }, { replace: false })}
        tabs={[
          {
            name: 'read',
            label: 'Read',
            panel: (
              <QueryView query={policy} lines={10} what="Loading policy">
                {(read) => <ReadPolicy policy={read} active={isActive} onLatest={() => change({ hash: undefined })} />}
              </QueryView>
            ),
          },
          ...(mayReview
            ? [
                {
                  name: 'edit' as const,
                  label: 'Edit and test',
                  panel: <EditPolicy key={hash} hash={hash} active={active?.hash ?? null} />,
                },
              ]
            : []),
          {
            name: 'versions',
            label: 'Versions',
            panel: (
              <Versions hash={hash === 'active' ? (active?.hash ?? hash) : hash} against={against} change={change} />
            ),
          },
        ]}
      />
    </Page>
  );
}
