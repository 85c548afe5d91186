import { Page } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { pickOne, useSearchState } from '../../routing/search.ts';
import { Alerts } from './alerts.tsx';
import { Figures } from './figures.tsx';
import { Shadows } from './shadows.tsx';

const tabs = ['figures', 'alerts', 'shadow'] as const;

/** What happens over time, when somebody is told, and what a candidate would do. */
export function WatchingPage() {
  const [{ tab, shadow }, change] = useSearchState((raw) => ({
    tab: pickOne(tabs, raw['tab']) ?? 'figures',
    shadow: raw['shadow'],
  }));
  return (
    <Page wide title="Watching" lead="How verdicts develop, by clause, language and source; alerts; and candidates.">
      <Tabs
        label="Watching"
        value={tab}
        onChange={(name) => change({ tab: name === 'figures' ? undefined : name }, { replace: false })}
        tabs={[
          { name: 'figures', label: 'Figures', panel: <Figures /> },
          { name: 'alerts', label: 'Alerts', panel: <Alerts /> },
          {
            name: 'shadow',
            label: 'Shadow',
            panel: <Shadows chosen={shadow} choose={(id) => change({ shadow: id }, { replace: false })} />,
          },
        ]}
      />
    </Page>
  );
}
