import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../api/client.ts';
import { type Session, sessionQuery } from '../../api/queries.ts';
import { checkSession, declineSignIn, useSessionState } from '../../api/session-end.ts';
import { Button } from '../../ui/button.tsx';
import { Loaded } from '../../ui/page.tsx';
import { SignInSteps } from './sign-in-steps.tsx';
import { openProvider } from './single-sign-on.tsx';

/**
 * The sign-in over a page whose session has ended or is too old for a change; the page stays as it
 * is. It is a dialog of the browser, which is above every other dialog and leaves the focus of
 * those alone.
 */
export function SignInAgain() {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    ref.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected)
        before.focus({ preventScroll: true });
    };
  }, []);
  const isProving = useSessionState() === 'proving';
  const { data: signedOut } = useQuery(sessionQuery);
  const query = useQuery({
    queryKey: ['sign-in-again'],
    queryFn: (): Promise<Session> => api.get('/v1/session'),
    gcTime: 0,
  });
  return (
    <dialog
      ref={ref}
      aria-labelledby="sign-in-again"
      data-open
      className="popup m-auto w-[min(24rem,calc(100vw-2rem))] p-6 text-text backdrop:bg-overlay"
      onCancel={(event) => {
        event.preventDefault();
        declineSignIn();
      }}
    >
      <h2 id="sign-in-again" className="text-title font-semibold tracking-tight">
        Sign in again
      </h2>
      <p className="mt-1 mb-5 text-muted">
        {isProving
          ? 'What you do next concerns how you sign in. Your last sign-in was more than 10 minutes ago.'
          : 'Your session has ended. What you have changed is still here, and is saved afterwards.'}
      </p>
      <Loaded query={query}>
        {(session) => (
          <SignInSteps
            session={session}
            {...(signedOut?.user && { email: signedOut.user.email })}
            forgotten={
              <a
                href="/dashboard/reset"
                target="_blank"
                rel="noreferrer"
                className="text-accent-text underline"
              >
                Forgot your password?
              </a>
            }
            onDone={checkSession}
            onProvider={openInTab}
          />
        )}
      </Loaded>
      <Button variant="ghost" className="mt-3 w-full" onClick={declineSignIn}>
        Not now
      </Button>
    </dialog>
  );
}

/** Opens an identity provider beside this page, which would lose its text. */
async function openInTab(provider: string): Promise<void> {
  // Browsers open a tab only during the click.
  const tab = window.open('', '_blank');
  if (tab === null)
    throw new Error('The browser did not allow a new tab. Allow it for this page, and try again.');
  tab.opener = null;
  try {
    await openProvider('sign-in/social', provider, '/dashboard/signed-in', tab);
  } catch (error) {
    tab.close();
    throw error;
  }
}
