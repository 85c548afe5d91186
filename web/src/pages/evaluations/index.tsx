import { Page } from '../../components/page.tsx';

export function EvaluationsPage() {
  return <Page title="EvaluationsPage">Soon.</Page>;
}
