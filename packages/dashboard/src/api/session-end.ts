import { useSyncExternalStore } from 'react';

/**
 * The end of a session while its pages are open: requests that were refused wait until its user has
 * signed in again, here or in another tab, and are then repeated. So do requests that need a recent
 * sign-in, while the session goes on: `proving`.
 */
type State = 'signed-in' | 'asking' | 'proving' | 'declined';

let userId: string | undefined;
let state: State = 'signed-in';
let answered: PromiseWithResolvers<boolean> | undefined;
const listeners = new Set<() => void>();

/** Tells the other tabs of this browser that somebody has signed in. */
let channel: BroadcastChannel | undefined;

function change(next: State): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Records whose pages are shown. Without it, nobody is asked to sign in again. */
export function beginSession(id: string): void {
  if (typeof document === 'undefined' || userId === id) return;
  userId = id;
  if (channel === undefined) {
    channel = new BroadcastChannel('docent-session');
    channel.onmessage = () => void checkSession();
    window.addEventListener('focus', () => {
      if (state !== 'proving') void checkSession();
    });
  }
  channel.postMessage('signed in');
}

/** Forgets whose pages are shown, before they sign out. */
export function endSession(): void {
  userId = undefined;
}

/** Who is signed in now; `undefined` if that cannot be read. */
async function readUserId(): Promise<string | null | undefined> {
  try {
    const { user } = (await (await fetch('/v1/session')).json()) as { user: { id: string } | null };
    return user?.id ?? null;
  } catch {
    return undefined;
  }
}

/**
 * After a refused request: asks the user to sign in again if their session has ended.
 * @param isChange whether it was a change, which asks again if they declined before
 * @returns whether the request can be repeated
 */
export async function regainSession(isChange: boolean): Promise<boolean> {
  if (userId === undefined || (state === 'declined' && !isChange)) return false;
  if (!answered) {
    // A refusal can have another reason, such as a wrong password. Another tab may have signed in
    // again meanwhile.
    const current = await readUserId();
    if (current === userId) return state === 'declined';
    if (current !== null) return false;
    askToSignIn();
    // Another tab may have signed in since.
    void checkSession();
  }
  return answered?.promise ?? false;
}

/** Shows the sign-in over the page. */
export function askToSignIn(): void {
  answered ??= Promise.withResolvers<boolean>();
  change('asking');
}

/**
 * Asks the user to sign in again although their session goes on. @returns whether the request can
 * be repeated
 */
export function proveAgain(): Promise<boolean> {
  answered ??= Promise.withResolvers<boolean>();
  if (state !== 'asking') change('proving');
  return answered.promise;
}

/** The user does not want to sign in now. What they changed stays on the page. */
export function declineSignIn(): void {
  settle(false);
}

/** Goes on if the user has signed in. Somebody else gets their own pages. */
export async function checkSession(): Promise<void> {
  if (state === 'signed-in') return;
  const current = await readUserId();
  if (typeof current !== 'string') return;
  if (current !== userId) window.location.assign('/dashboard');
  else settle(true);
}

function settle(isSignedIn: boolean): void {
  const waiting = answered;
  answered = undefined;
  change(isSignedIn || state === 'proving' ? 'signed-in' : 'declined');
  if (isSignedIn) channel?.postMessage('signed in');
  waiting?.resolve(isSignedIn);
}

/** Whether the session has ended, and what its user decided. */
export function useSessionState(): State {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    () => state,
    () => 'signed-in',
  );
}
