import { Page } from '../../components/page.tsx';

export function JudgePage() {
  return <Page title="JudgePage">Soon.</Page>;
}
