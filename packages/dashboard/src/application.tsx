import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { queries } from './api/queries.ts';
import { useSessionState } from './api/session-end.ts';
import type { createDashboardRouter } from './routes/router.ts';

type Router = ReturnType<typeof createDashboardRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: Router;
  }
}

/** Nothing is said before a page is there, so its code may come after that of the page. */
const Toasts = lazy(async () => ({ default: (await import('./ui/overlays/toasts.tsx')).Toasts }));

const SignInAgain = lazy(async () => ({
  default: (await import('./features/sign-in/sign-in-again.tsx')).SignInAgain,
}));

/** The sign-in over the page, once its session has ended or is too old for what its user does. */
function EndedSession() {
  const state = useSessionState();
  return (state === 'asking' || state === 'proving') && <SignInAgain />;
}

/** The whole dashboard, at the address of `router`. */
export function Application({ router }: { router: Router }) {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Suspense>
          <Toasts />
        </Suspense>
        <Suspense>
          <EndedSession />
        </Suspense>
      </QueryClientProvider>
    </CSPProvider>
  );
}
