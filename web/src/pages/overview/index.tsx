import { Page } from '../../components/page.tsx';

export function OverviewPage() {
  return <Page title="OverviewPage">Soon.</Page>;
}
