import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { queries } from './api/queries.ts';
import type { createDashboardRouter } from './routes/router.ts';

type Router = ReturnType<typeof createDashboardRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: Router;
  }
}

/** Nothing is said before a page is there, so its code may come after that of the page. */
const Toasts = lazy(async () => ({ default: (await import('./ui/overlays/toasts.tsx')).Toasts }));

/** The whole dashboard, at the address of `router`. */
export function Application({ router }: { router: Router }) {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Suspense>
          <Toasts />
        </Suspense>
      </QueryClientProvider>
    </CSPProvider>
  );
}
