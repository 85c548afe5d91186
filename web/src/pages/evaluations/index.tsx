import { Page } from '../../components/page.tsx';
import { TabPanel, Tabs } from '../../components/tabs.tsx';
import { oneOf, useSearchState } from '../../routing/search.ts';
import { useMay } from '../../session/session.ts';
import { BenchList } from './bench-list.tsx';
import { NewRun } from './new-run.tsx';
import { RunList } from './run-list.tsx';

const tabs = [
  { name: 'runs', label: 'Runs' },
  { name: 'benches', label: 'Benches' },
] as const;

/** Many items at once: runs through one configuration, and benches that measure several systems. */
export function EvaluationsPage() {
  const [tab, change] = useSearchState((raw) => oneOf(['runs', 'benches'], raw['tab']) ?? 'runs');
  const mayJudge = useMay('judge');
  return (
    <Page
      title="Evaluations"
      lead="Judge many items with one configuration, or compare several systems on the same data."
      actions={mayJudge && tab === 'runs' && <NewRun />}
    >
      <Tabs
        label="Runs and benches"
        tabs={tabs}
        value={tab}
        onChange={(name) => change({ tab: name === 'runs' ? undefined : name })}
      >
        <TabPanel name="runs">
          <RunList />
        </TabPanel>
        <TabPanel name="benches">
          <BenchList />
        </TabPanel>
      </Tabs>
    </Page>
  );
}
