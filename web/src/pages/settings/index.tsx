import { Page } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { oneOf, useSearchState } from '../../routing/search.ts';
import { KeysPanel } from './keys-panel.tsx';
import { WebhooksPanel } from './webhooks-panel.tsx';

const tabs = ['keys', 'webhooks'] as const;

/** What whoever runs the server changes while it runs. The rest stands in the file of settings. */
export function SettingsPage() {
  const [{ tab }, change] = useSearchState((raw) => ({ tab: oneOf(tabs, raw['tab']) ?? 'keys' }));
  return (
    <Page title="Settings" lead="Who may do what here, and who is told of what happens.">
      <Tabs
        label="Settings"
        value={tab}
        onChange={(name) => change({ tab: name === 'keys' ? undefined : name }, { replace: false })}
        tabs={[
          { name: 'keys', label: 'People and keys', panel: <KeysPanel /> },
          { name: 'webhooks', label: 'Webhooks', panel: <WebhooksPanel /> },
        ]}
      />
    </Page>
  );
}
