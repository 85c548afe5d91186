import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import 'virtual:palette.css';
import './styles.css';
import { queries } from './api/queries.ts';
import { Toasts } from './components/toasts.tsx';
import { reloadWhenReplaced } from './reload-when-replaced.ts';
import { router } from './routing/router.tsx';

reloadWhenReplaced();
createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  </StrictMode>,
);
