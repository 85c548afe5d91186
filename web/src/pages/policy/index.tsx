import { Page } from '../../components/page.tsx';

export function PolicyPage() {
  return <Page title="PolicyPage">Soon.</Page>;
}
