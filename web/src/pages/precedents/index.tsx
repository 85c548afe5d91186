import { Page } from '../../components/page.tsx';
import { TabPanel, Tabs } from '../../components/tabs.tsx';
import { oneOf, useSearchState } from '../../routing/search.ts';
import { useMay } from '../../session/self.ts';
import { FindSimilar } from './alike.tsx';
import { Learn } from './learn.tsx';
import { NewPrecedent } from './new-precedent.tsx';
import { PrecedentList } from './precedent-list.tsx';
import { Proposals } from './proposals.tsx';

const tabs = ['library', 'proposals', 'alike'] as const;

/** The decided cases that debates draw on. */
export function PrecedentsPage() {
  const [{ tab }, change] = useSearchState((raw) => ({ tab: oneOf(tabs, raw['tab']) ?? 'library' }));
  const mayReview = useMay('review');
  return (
    <Page
      title="Precedents"
      lead="Decided cases. Debates are shown those alike to what is judged, and say what is the same and what differs."
      actions={
        mayReview && (
          <>
            <Learn />
            <NewPrecedent />
          </>
        )
      }
    >
      <Tabs
        label="Precedents"
        value={tab}
        onChange={(name) => change({ tab: name === 'library' ? undefined : name }, { replace: false })}
        tabs={[
          { name: 'library', label: 'Library' },
          { name: 'proposals', label: 'Proposals' },
          { name: 'alike', label: 'Find by likeness' },
        ]}
      >
        <TabPanel name="library">
          <PrecedentList />
        </TabPanel>
        <TabPanel name="proposals">
          <Proposals />
        </TabPanel>
        <TabPanel name="alike">
          <FindSimilar />
        </TabPanel>
      </Tabs>
    </Page>
  );
}
