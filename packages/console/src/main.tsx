import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isServerUp } from './api/client.ts';
import { queries } from './api/queries.ts';
import { Toasts } from './components/toasts.tsx';
import { router } from './routing/router.tsx';
import 'virtual:palette.css';
import './styles.css';

reloadWhenReplaced();
createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  </StrictMode>,
);

const name = 'agon.reloaded-at';
const onceInMs = 30_000;

/**
 * A server that was upgraded has other files than this page knows: it is loaded again, once. Not while nobody
 * answers: what is on the page would be lost.
 */
function reloadWhenReplaced(): void {
  addEventListener('vite:preloadError', () => void reload());
}

async function reload(): Promise<void> {
  const last = Number(sessionStorage.getItem(name) ?? 0);
  if (Date.now() - last < onceInMs || !(await isServerUp())) return;
  sessionStorage.setItem(name, String(Date.now()));
  location.reload();
}
