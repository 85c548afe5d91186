import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Link, type ErrorComponentProps } from '@tanstack/react-router';
import { Page } from '../components/page.tsx';
import { ProblemNotice } from '../components/problem-notice.tsx';
import { Loading } from '../components/skeleton.tsx';
import { Shell } from '../shell/shell.tsx';
import { parseSearch, writeSearch } from './search.ts';

/* Every page is a chunk of its own: the first load brings the shell and one page. */

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: Failed });

const judge = createRoute({ getParentRoute: () => root, path: '/', component: lazyRouteComponent(() => import('../pages/judge/index.tsx'), 'JudgePage') });
const cases = createRoute({ getParentRoute: () => root, path: '/cases', component: lazyRouteComponent(() => import('../pages/cases/index.tsx'), 'CasesPage') });
const oneCase = createRoute({ getParentRoute: () => root, path: '/cases/$id', component: lazyRouteComponent(() => import('../pages/case/index.tsx'), 'CasePage') });
const queue = createRoute({ getParentRoute: () => root, path: '/queue', component: lazyRouteComponent(() => import('../pages/queue/index.tsx'), 'QueuePage') });
const annotation = createRoute({ getParentRoute: () => root, path: '/annotation', component: lazyRouteComponent(() => import('../pages/annotation/index.tsx'), 'AnnotationPage') });
const project = createRoute({ getParentRoute: () => root, path: '/annotation/$project', component: lazyRouteComponent(() => import('../pages/annotation/project.tsx'), 'ProjectPage') });
const documents = createRoute({ getParentRoute: () => root, path: '/documents', component: lazyRouteComponent(() => import('../pages/documents/index.tsx'), 'DocumentsPage') });
const document = createRoute({ getParentRoute: () => root, path: '/documents/$id', component: lazyRouteComponent(() => import('../pages/documents/analysis.tsx'), 'AnalysisPage') });
const evaluations = createRoute({ getParentRoute: () => root, path: '/evaluations', component: lazyRouteComponent(() => import('../pages/evaluations/index.tsx'), 'EvaluationsPage') });
const run = createRoute({ getParentRoute: () => root, path: '/evaluations/runs/$id', component: lazyRouteComponent(() => import('../pages/evaluations/run.tsx'), 'RunPage') });
const compare = createRoute({ getParentRoute: () => root, path: '/evaluations/compare', component: lazyRouteComponent(() => import('../pages/evaluations/compare.tsx'), 'ComparePage') });
const bench = createRoute({ getParentRoute: () => root, path: '/evaluations/benches/$id', component: lazyRouteComponent(() => import('../pages/evaluations/bench.tsx'), 'BenchPage') });
const precedents = createRoute({ getParentRoute: () => root, path: '/precedents', component: lazyRouteComponent(() => import('../pages/precedents/index.tsx'), 'PrecedentsPage') });
const policy = createRoute({ getParentRoute: () => root, path: '/policy', component: lazyRouteComponent(() => import('../pages/policy/index.tsx'), 'PolicyPage') });
const overview = createRoute({ getParentRoute: () => root, path: '/overview', component: lazyRouteComponent(() => import('../pages/overview/index.tsx'), 'OverviewPage') });

export const router = createRouter({
  routeTree: root.addChildren([judge, cases, oneCase, queue, annotation, project, documents, document, evaluations, run, compare, bench, precedents, policy, overview]),
  parseSearch,
  stringifySearch: writeSearch,
  defaultPreload: 'intent',
  defaultPendingComponent: () => <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6 lg:px-8"><Loading /></div>,
  defaultErrorComponent: Failed,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

function NotFound() {
  return (
    <Page title="There is nothing here">
      <p>The address may be mistyped, or what it led to was taken away. <Link to="/" className="text-link underline">Judge something</Link>, or look through <Link to="/cases" className="text-link underline">the cases</Link>.</p>
    </Page>
  );
}

function Failed({ error }: ErrorComponentProps) {
  return <Page title="This page failed"><ProblemNotice error={error} retry={() => location.reload()} /></Page>;
}
