import { Page } from '../../components/page.tsx';

export function PrecedentsPage() {
  return <Page title="PrecedentsPage">Soon.</Page>;
}
