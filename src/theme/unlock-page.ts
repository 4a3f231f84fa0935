import { html } from '../core/html.ts';
import { plainPage } from './plain-page.ts';

/** Accepts the password of a preview; below the preview, without a leading slash. */
export const UNLOCK_PATH = '_docent/unlock';

/**
 * Renders the password page of a preview. It works without JavaScript and reveals nothing about the preview.
 * @param to the path of the preview to continue to
 */
export function unlockPage({ action, to, problem }: { action: string; to: string; problem?: string | undefined }): string {
  const alert = problem === undefined ? undefined : html`<p id="problem" role="alert">${problem}</p>`;
  const described = problem === undefined ? undefined : html` aria-describedby="problem" aria-invalid="true"`;
  return plainPage({
    title: 'Password required',
    heading: 'This preview is protected',
    content: html`<p>Enter its password to read it.</p><form method="post" action="${action}"><input type="hidden" name="to" value="${to}"><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required autofocus maxlength="200"${described}>${alert}<button type="submit">Continue</button></form>`,
  });
}
