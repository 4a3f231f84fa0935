import { api } from '../../api/client.ts';

/** What crosses the reload between the dashboard and GitHub, in this tab alone. */
interface PendingApp {
  action: string;
  manifest: string;
  /** Address in the dashboard to go on with. */
  back: string;
}

const KEY = 'docent-github-app';

/** Prepares an app, and opens the page that sends its form to GitHub. */
export async function startGitHubApp(org: string, input: { host: string; owner: string }) {
  const form = await api.post('/v1/github-apps', { body: input });
  const pending: PendingApp = { ...form, back: window.location.pathname };
  window.sessionStorage.setItem(KEY, JSON.stringify(pending));
  // Only a page that is loaded with the host may send a form there.
  window.location.assign(
    `/dashboard/${org}/settings/github-app?host=${encodeURIComponent(input.host)}`,
  );
}

/** Returns what this tab is waiting for. */
export function pendingApp(): PendingApp | undefined {
  const text = window.sessionStorage.getItem(KEY);
  return text === null ? undefined : (JSON.parse(text) as PendingApp);
}

/** Sends the form of the pending app to GitHub, once. @returns whether there was one for the host */
export function sendForm(host: string): boolean {
  const pending = pendingApp();
  if (!pending?.manifest || new URL(pending.action).host !== host) return false;
  window.sessionStorage.setItem(KEY, JSON.stringify({ ...pending, manifest: '' }));
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: pending.action, hidden: true });
  const field = document.createElement('input');
  Object.assign(field, { name: 'manifest', value: pending.manifest });
  form.append(field);
  document.body.append(form);
  form.submit();
  return true;
}
