import { Page } from '../../components/page.tsx';

export function BenchPage() {
  return <Page title="BenchPage">Soon.</Page>;
}
