import { Page } from '../../components/page.tsx';

export function AnnotationPage() {
  return <Page title="AnnotationPage">Soon.</Page>;
}
