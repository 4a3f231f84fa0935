import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { Frame } from '../features/frame/frame.tsx';
import { NotFound, RouteFault } from '../ui/faults.tsx';

/** The root of all pages. */
export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({
  notFoundComponent: NotFound,
  errorComponent: RouteFault,
});

/** The frame around all signed-in pages; signed-out visitors are redirected. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: async ({ context, location }) => {
    const session = await context.queries.ensureQueryData({ ...sessionQuery, revalidateIfStale: true });
    if (session.setupRequired) throw redirect({ to: '/setup' });
    if (!session.user) throw redirect({ to: '/sign-in', search: { next: location.href } });
  },
  component: Frame,
});
