import { Page } from '../../components/page.tsx';

export function CasesPage() {
  return <Page title="CasesPage">Soon.</Page>;
}
