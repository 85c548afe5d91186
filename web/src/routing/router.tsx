import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  Link,
} from '@tanstack/react-router';
import { useEffect } from 'react';
import { AgonClientError } from '../../../src/client/index.ts';
import { isServerUp } from '../api/client.ts';
import { describeProblem } from '../api/problem.ts';
import { Page } from '../components/page.tsx';
import { Loading, ProblemNotice } from '../components/placeholders.tsx';
import { showToast } from '../components/toasts.tsx';
import { Shell } from '../shell/shell.tsx';
import { parseSearch, writeSearch } from './search.ts';

/* Every page is a chunk of its own: the first load brings the shell and one page. */

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: Failed });

const judge = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => reached(import('../pages/judge/index.tsx')), 'JudgePage'),
});
const cases = createRoute({
  getParentRoute: () => root,
  path: '/cases',
  component: lazyRouteComponent(() => reached(import('../pages/cases/index.tsx')), 'CasesPage'),
});
const oneCase = createRoute({
  getParentRoute: () => root,
  path: '/cases/$id',
  component: lazyRouteComponent(() => reached(import('../pages/case/index.tsx')), 'CasePage'),
});
const queue = createRoute({
  getParentRoute: () => root,
  path: '/queue',
  component: lazyRouteComponent(() => reached(import('../pages/queue/index.tsx')), 'QueuePage'),
});
const annotation = createRoute({
  getParentRoute: () => root,
  path: '/annotation',
  component: lazyRouteComponent(() => reached(import('../pages/annotation/index.tsx')), 'AnnotationPage'),
});
const project = createRoute({
  getParentRoute: () => root,
  path: '/annotation/$project',
  component: lazyRouteComponent(() => reached(import('../pages/annotation/project.tsx')), 'ProjectPage'),
});
const documents = createRoute({
  getParentRoute: () => root,
  path: '/documents',
  component: lazyRouteComponent(() => reached(import('../jobs/documents/documents-page.tsx')), 'DocumentsPage'),
});
const document = createRoute({
  getParentRoute: () => root,
  path: '/documents/$id',
  component: lazyRouteComponent(() => reached(import('../jobs/documents/analysis-page.tsx')), 'AnalysisPage'),
});
const evaluations = createRoute({
  getParentRoute: () => root,
  path: '/evaluations',
  component: lazyRouteComponent(() => reached(import('../pages/evaluations/index.tsx')), 'EvaluationsPage'),
});
const run = createRoute({
  getParentRoute: () => root,
  path: '/evaluations/runs/$id',
  component: lazyRouteComponent(() => reached(import('../pages/evaluations/run.tsx')), 'RunPage'),
});
const compare = createRoute({
  getParentRoute: () => root,
  path: '/evaluations/compare',
  component: lazyRouteComponent(() => reached(import('../pages/evaluations/compare.tsx')), 'ComparePage'),
});
const bench = createRoute({
  getParentRoute: () => root,
  path: '/evaluations/benches/$id',
  component: lazyRouteComponent(() => reached(import('../pages/evaluations/bench.tsx')), 'BenchPage'),
});
const precedents = createRoute({
  getParentRoute: () => root,
  path: '/precedents',
  component: lazyRouteComponent(() => reached(import('../pages/precedents/index.tsx')), 'PrecedentsPage'),
});
const policy = createRoute({
  getParentRoute: () => root,
  path: '/policy',
  component: lazyRouteComponent(() => reached(import('../pages/policy/index.tsx')), 'PolicyPage'),
});
const overview = createRoute({
  getParentRoute: () => root,
  path: '/overview',
  component: lazyRouteComponent(() => reached(import('../pages/overview/index.tsx')), 'OverviewPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    judge,
    cases,
    oneCase,
    queue,
    annotation,
    project,
    documents,
    document,
    evaluations,
    run,
    compare,
    bench,
    precedents,
    policy,
    overview,
  ]),
  parseSearch,
  stringifySearch: writeSearch,
  defaultPreload: 'intent',
  defaultPendingComponent: () => (
    <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6 lg:px-8">
      <Loading />
    </div>
  ),
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
    <Page title="Page not found">
      <p>
        Check the address. You can{' '}
        <Link to="/" className="text-link underline">
          judge something
        </Link>{' '}
        or browse{' '}
        <Link to="/cases" className="text-link underline">
          past cases
        </Link>
        .
      </p>
    </Page>
  );
}

const askEveryMs = 3_000;

function Failed({ error }: ErrorComponentProps) {
  const unreachable = describeProblem(error).code === 'unreachable-server';
  useEffect(() => {
    if (!unreachable) return undefined;
    const timer = setInterval(() => void isServerUp().then((there) => there && location.reload()), askEveryMs);
    return () => clearInterval(timer);
  }, [unreachable]);
  const retry = async () => {
    if (await isServerUp()) location.reload();
    else showToast('The server is still not responding.', 'bad');
  };
  return (
    <Page title="This page failed to load">
      <ProblemNotice error={error} retry={() => void retry()} />
    </Page>
  );
}

/**
 * A chunk that does not come because nobody answers: to load everything again would not bring it, and lose the rest.
 */
async function reached<Chunk>(chunk: Promise<Chunk>): Promise<Chunk> {
  try {
    return await chunk;
  } catch (error) {
    if (await isServerUp()) throw error;
    throw new AgonClientError(
      'unreachable-server',
      'The server is not responding.',
      'The page loads as soon as it is back.',
    );
  }
}
