import { Page } from '../../components/page.tsx';

export function DocumentsPage() {
  return <Page title="DocumentsPage">Soon.</Page>;
}
