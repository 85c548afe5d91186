import { Page } from '../../components/page.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { pickOne, useSearchState } from '../../routing/search.ts';
import { useMay } from '../../session/session.ts';
import { BenchList } from './bench-list.tsx';
import { NewBench } from './new-bench.tsx';
import { NewRun } from './new-run.tsx';
import { RunList } from './run-list.tsx';

/** Many items at once: runs through one configuration, and benches that measure several systems. */
export function EvaluationsPage() {
  const [tab, change] = useSearchState((raw) => pickOne(['runs', 'benches'], raw['tab']) ?? 'runs');
  const mayJudge = useMay('judge');
  return (
    <Page
      title="Evaluations"
      lead="Judge many items with one configuration, or compare several systems on the same data."
      actions={mayJudge && (tab === 'runs' ? <NewRun /> : <NewBench />)}
    >
      <Tabs
        label="Runs and benches"
        value={tab}
        onChange={(name) => change({ tab: name === 'runs' ? undefined : name })}
        tabs={[
          { name: 'runs', label: 'Runs', panel: <RunList /> },
          { name: 'benches', label: 'Benches', panel: <BenchList /> },
        ]}
      />
    </Page>
  );
}
