import { Page } from '../../components/page.tsx';

export function ComparePage() {
  return <Page title="ComparePage">Soon.</Page>;
}
