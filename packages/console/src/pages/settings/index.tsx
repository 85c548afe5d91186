import { Page } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { pickOne, useSearchState } from '../../routing/search.ts';
import { AuditPanel } from './audit-panel.tsx';
import { InForcePanel } from './in-force-panel.tsx';
import { KeysPanel } from './keys-panel.tsx';
import { WebhooksPanel } from './webhooks-panel.tsx';

const tabs = ['keys', 'webhooks', 'in-force', 'audit'] as const;
/** What other tabs keep in the address goes with them. */
const ofAudit = { who: undefined, operation: undefined, from: undefined, to: undefined };

/** What whoever runs the server changes while it runs, what it runs with, and who did what. */
export function SettingsPage() {
  const [{ tab }, change] = useSearchState((raw) => ({ tab: pickOne(tabs, raw['tab']) ?? 'keys' }));
  return (
    <Page
      title="Settings"
      lead="Who may do what here, who is told of what happens, what the server runs with, and who did what."
    >
      <Tabs
        label="Settings"
        value={tab}
        onChange={(name) => change({ ...ofAudit, tab: name === 'keys' ? undefined : name }, { replace: false })}
        tabs={[
          { name: 'keys', label: 'People and keys', panel: <KeysPanel /> },
          { name: 'webhooks', label: 'Webhooks', panel: <WebhooksPanel /> },
          { name: 'in-force', label: 'In force', panel: <InForcePanel /> },
          { name: 'audit', label: 'Audit log', panel: <AuditPanel /> },
        ]}
      />
    </Page>
  );
}
