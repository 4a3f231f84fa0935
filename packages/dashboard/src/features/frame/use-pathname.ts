import { useRouterState } from '@tanstack/react-router';

/** Returns the path of the current page inside the dashboard, such as `/acme/docs/keys`. */
export function usePathname(): string {
  return useRouterState({ select: ({ location }) => location.pathname });
}
