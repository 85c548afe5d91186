import { Page } from '../../components/page.tsx';

export function AnalysisPage() {
  return <Page title="AnalysisPage">Soon.</Page>;
}
