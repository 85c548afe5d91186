import { Page } from '../../components/page.tsx';

export function CasePage() {
  return <Page title="CasePage">Soon.</Page>;
}
