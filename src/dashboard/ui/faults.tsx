import { LinkButton } from './button.tsx';
import { ErrorState } from './page.tsx';

/** Shown at an unknown address. */
export function NotFound() {
  return (
    <main className="mx-auto max-w-md px-6 py-24 text-center">
      <title>Page not found · Docent</title>
      <h1 className="text-title font-semibold">Page not found</h1>
      <p className="mt-1 text-muted">This page does not exist, or belongs to an organization of which you are not a member.</p>
      <LinkButton to="/" className="mt-4">
        Go to your sites
      </LinkButton>
    </main>
  );
}

/** Shown in place of a page that could not be opened. */
export function RouteFault({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <main className="mx-auto max-w-xl px-6 py-16">
      <title>Something went wrong · Docent</title>
      <ErrorState error={error} onRetry={reset} />
    </main>
  );
}
