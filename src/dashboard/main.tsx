import './shared.ts';
import { MutationCache, QueryClient } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/problem.ts';
import { sessionQuery } from './api/session.ts';
import { Application } from './application.tsx';
import { createDashboardRouter } from './routes/router.ts';

/** A request that the server refused would be refused again; one that did not reach it may succeed. */
function isWorthAnotherTry(failures: number, error: unknown): boolean {
  return failures < 2 && !(error instanceof ApiError && error.status < 500);
}

/** On a 401 the session is refetched, which redirects a signed-out user to the sign-in. */
function onFailure(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) queries.invalidateQueries(sessionQuery);
}

/** Lets the browser handle input and paint between two long pieces of work. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

const queries: QueryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 10_000, retry: isWorthAnotherTry }, mutations: { networkMode: 'always' } },
  mutationCache: new MutationCache({ onError: onFailure }),
});
await nextTask();
const router = createDashboardRouter(queries);
const app = document.getElementById('app') as HTMLElement;

// Until the page can be shown, the document shows what it looks like without data.
await router.load();
await nextTask();
app.inert = false;
startTransition(() =>
  createRoot(app).render(
    <StrictMode>
      <Application router={router} queries={queries} />
    </StrictMode>,
  ),
);
