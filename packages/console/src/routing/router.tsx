import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { type ComponentType, useEffect } from 'react';
import { AgonClientError } from '@agonhq/server/client';
import { isServerUp } from '../api/client.ts';
import { describeProblem } from '../api/problem.ts';
import { Page, Loading, ProblemNotice } from '../components/page.tsx';
import { showToast } from '../components/toasts.tsx';
import { Shell } from '../shell/shell.tsx';
import { parseSearch, writeSearch } from './search.ts';
import { TextLink } from '../components/button.tsx';

/* Every page is a chunk of its own: the first load brings the shell and one page. */

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: Failed });

function createPage<const Path extends string>(path: Path, load: () => Promise<ComponentType>) {
  const component = lazyRouteComponent(async () => ({ default: await reached(load()) }));
  return createRoute({ getParentRoute: () => root, path, component });
}

const pages = [
  createPage('/', async () => (await import('../pages/judge/index.tsx')).JudgePage),
  createPage('/cases', async () => (await import('../pages/cases/index.tsx')).CasesPage),
  createPage('/cases/$id', async () => (await import('../pages/case/index.tsx')).CasePage),
  createPage('/queue', async () => (await import('../pages/queue/index.tsx')).QueuePage),
  createPage('/queues', async () => (await import('../pages/queues/index.tsx')).QueuesPage),
  createPage('/known-images', async () => (await import('../pages/known-images/index.tsx')).KnownImagesPage),
  createPage('/annotation', async () => (await import('../pages/annotation/index.tsx')).AnnotationPage),
  createPage('/annotation/$project', async () => (await import('../pages/annotation/project.tsx')).ProjectPage),
  createPage('/documents', async () => (await import('../jobs/documents/documents-page.tsx')).DocumentsPage),
  createPage('/documents/$id', async () => (await import('../jobs/documents/analysis-page.tsx')).AnalysisPage),
  createPage('/evaluations', async () => (await import('../pages/evaluations/index.tsx')).EvaluationsPage),
  createPage('/evaluations/runs/$id', async () => (await import('../pages/evaluations/run.tsx')).RunPage),
  createPage('/evaluations/compare', async () => (await import('../pages/evaluations/compare.tsx')).ComparePage),
  createPage('/evaluations/benches/$id', async () => (await import('../pages/evaluations/bench.tsx')).BenchPage),
  createPage('/precedents', async () => (await import('../pages/precedents/index.tsx')).PrecedentsPage),
  createPage('/policy', async () => (await import('../pages/policy/index.tsx')).PolicyPage),
  createPage('/watching', async () => (await import('../pages/watching/index.tsx')).WatchingPage),
  createPage('/settings', async () => (await import('../pages/settings/index.tsx')).SettingsPage),
  createPage('/overview', async () => (await import('../pages/overview/index.tsx')).OverviewPage),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(pages),
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
        Check the address. You can <TextLink to="/">judge something</TextLink> or browse{' '}
        <TextLink to="/cases">past cases</TextLink>.
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
