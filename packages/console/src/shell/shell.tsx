import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { LogOut, Menu, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { client, type Self } from '../api/client.ts';
import { describeProblem } from '../api/problem.ts';
import { onSignOut, queries } from '../api/queries.ts';
import { Loading, ProblemNotice } from '../components/page.tsx';
import { classes } from '../components/tones.ts';
import { selfQuery, useKnowsJobs } from '../session/session.ts';
import { TurnCallsContext } from '../trial/turn-calls-button.tsx';
import { Connection } from './connection.tsx';
import { CareSwitch, listPages, Mark, ThemeSwitch } from './navigation.tsx';
import { SignIn } from './sign-in.tsx';

const TurnCallsDialog = lazy(async () => ({
  default: (await import('../trial/turn-calls-dialog.tsx')).TurnCallsDialog,
}));

/** What is around every page: the way to the others, who we are, whether the server is there. */
export function Shell() {
  const { data: self, error, refetch } = useQuery(selfQuery);
  useEffect(() => onSignOut(() => void queries.resetQueries({ queryKey: selfQuery.queryKey })), []);
  const knowsJobs = useKnowsJobs();
  if (self && knowsJobs) return <ConsoleFrame self={self} />;
  const status = error ? describeProblem(error).status : null;
  if (status === 401 || status === 403) return <SignIn refused={status === 403 ? error : null} />;
  return (
    <main className="mx-auto max-w-3xl px-4 py-16">
      {error ? <ProblemNotice error={error} retry={() => void refetch()} /> : <Loading what="Opening console" />}
    </main>
  );
}

function ConsoleFrame({ self }: { self: Self }) {
  const [open, setOpen] = useState(false);
  // Of the page that is shown: the one that was asked for may still be loading.
  const path = useRouterState({ select: ({ location, resolvedLocation }) => (resolvedLocation ?? location).pathname });
  const content = useRef<HTMLElement>(null);
  const menu = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    menu.current?.focus();
  };
  const arrived = useRef(path);
  useEffect(() => {
    if (arrived.current === path) return;
    arrived.current = path;
    setOpen(false);
    // Whoever listens hears where they are now.
    content.current?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }, [path]);
  return (
    <div
      className="min-h-dvh lg:grid lg:grid-cols-[13.5rem_1fr]"
      onKeyDown={({ key }) => key === 'Escape' && open && close()}
    >
      <a
        href="#content"
        className={classes(
          'sr-only z-50 rounded-lg bg-ink px-4 py-2 text-paper focus:not-sr-only focus:fixed focus:top-2',
          'focus:left-2',
        )}
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-30 flex items-center justify-between border-b bg-surface px-4 py-2 lg:hidden">
        <Link to="/" className="flex items-center gap-2 font-serif text-xl text-ink no-underline">
          <Mark className="size-7" /> Agon
        </Link>
        <button
          ref={menu}
          type="button"
          className="rounded-lg border p-2"
          aria-expanded={open}
          aria-controls="pages"
          onClick={() => setOpen(!open)}
          aria-label={open ? 'Close the menu' : 'Open the menu'}
        >
          {open ? <X aria-hidden className="size-5" /> : <Menu aria-hidden className="size-5" />}
        </button>
      </header>
      <aside
        id="pages"
        className={
          `${open ? 'flex' : 'hidden'} flex-col justify-between gap-6 border-b bg-surface p-3 lg:sticky ` +
          'lg:top-0 lg:flex lg:h-dvh lg:overflow-y-auto lg:border-r lg:border-b-0'
        }
      >
        <div className="grid gap-4">
          <Link
            to="/"
            className="hidden items-center gap-2.5 px-2 pt-2 font-serif text-2xl text-ink no-underline lg:flex"
          >
            <Mark /> Agon
          </Link>
          <nav aria-label="Pages">
            <ul className="grid gap-0.5">
              {listPages(self).map(({ to, title, icon: Icon }) => (
                <li key={to}>
                  <Link
                    to={to}
                    activeOptions={{ exact: to === '/', includeSearch: false }}
                    className={classes(
                      'flex items-center gap-3 rounded-lg px-3 py-2 text-ink no-underline hover:bg-paper',
                      'data-[status=active]:bg-implicit-ground data-[status=active]:font-medium',
                      'data-[status=active]:text-implicit',
                    )}
                  >
                    <Icon aria-hidden className="size-4.5" /> {title}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <Foot self={self} />
      </aside>
      <div className="min-w-0">
        <Connection />
        <main id="content" ref={content} tabIndex={-1} className="outline-none">
          <Suspense
            fallback={
              <div className="mx-auto max-w-6xl px-4 py-8 sm:px-6 lg:px-8">
                <Loading />
              </div>
            }
          >
            <TurnCallsContext value={TurnCallsDialog}>
              <Outlet />
            </TurnCallsContext>
          </Suspense>
        </main>
      </div>
    </div>
  );
}

function Foot({ self }: { self: Self }) {
  const signOut = useMutation({ mutationFn: () => client.session.end(), onSettled: () => queries.resetQueries() });
  return (
    <div className="grid gap-1 border-t pt-3 text-sm text-quiet">
      {self.key ? (
        <div className="flex items-center justify-between gap-2 px-2">
          <span className="truncate" title={`Scopes: ${self.scopes.join(', ')}`}>
            {self.key.reviewer ?? self.key.name}
          </span>
          <button
            type="button"
            onClick={() => signOut.mutate()}
            className="inline-flex items-center gap-1 hover:text-ink"
          >
            <LogOut aria-hidden className="size-4" /> Sign out
          </button>
        </div>
      ) : (
        <p className="px-2">Local server, no key needed</p>
      )}
      <div>
        <CareSwitch />
      </div>
      <div className="flex items-center justify-between">
        <ThemeSwitch />
        <a href="/docs" className="px-2 text-link">
          API
        </a>
      </div>
      <p className="px-2">
        Agon {self.agon}
        {self.team === null ? null : ` · team ${self.team}`}
      </p>
    </div>
  );
}
