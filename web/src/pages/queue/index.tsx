import { Page } from '../../components/page.tsx';

export function QueuePage() {
  return <Page title="QueuePage">Soon.</Page>;
}
