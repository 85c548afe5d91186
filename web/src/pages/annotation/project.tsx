import { Page } from '../../components/page.tsx';

export function ProjectPage() {
  return <Page title="ProjectPage">Soon.</Page>;
}
