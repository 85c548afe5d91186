import { Page } from '../../components/page.tsx';

export function RunPage() {
  return <Page title="RunPage">Soon.</Page>;
}
