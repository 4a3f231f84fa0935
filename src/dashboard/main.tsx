import { CSPProvider } from '@base-ui/react/csp-provider';
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/problem.ts';
import { sessionQuery } from './api/session.ts';
import { createDashboardRouter } from './routes/router.ts';
import { followTheme } from './ui/theme.ts';
import { Toasts } from './ui/toast.tsx';

followTheme();

/** What the server refused it will refuse again; what did not reach it may. */
function isWorthAnotherTry(failures: number, error: unknown): boolean {
  return failures < 2 && !(error instanceof ApiError && error.status < 500);
}

/** Whoever is signed out elsewhere is led to the sign-in by the session, which is asked again. */
function onFailure(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) queries.invalidateQueries(sessionQuery);
}

const queries: QueryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 10_000, retry: isWorthAnotherTry }, mutations: { networkMode: 'always' } },
  mutationCache: new MutationCache({ onError: onFailure }),
});
const router = createDashboardRouter(queries);

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

createRoot(document.getElementById('app') as HTMLElement).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
