import { type Html, html, trustedHtml } from '@docent/format/html.ts';

const STYLE = `:root{color-scheme:light dark}*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;font:1rem/1.5 system-ui,sans-serif;background:light-dark(#fafafa,#111);color:light-dark(#18181b,#fafafa)}main{width:min(22rem,calc(100vw - 2rem));padding:2rem;border:1px solid light-dark(#e4e4e7,#333);border-radius:.75rem;background:light-dark(#fff,#18181b)}h1{margin:0 0 .25rem;font-size:1.125rem}p{margin:0;overflow-wrap:anywhere;color:light-dark(#52525b,#a1a1aa)}form,footer{margin-top:1.25rem}footer{font-size:.8125rem;color:light-dark(#71717a,#a1a1aa)}code{overflow-wrap:anywhere}label{display:block;margin-bottom:.375rem;font-weight:500}input{width:100%;padding:.5rem .75rem;font:inherit;border:1px solid light-dark(#71717a,#71717a);border-radius:.5rem;background:transparent;color:inherit}a{display:block;margin-top:1.25rem;padding:.5rem .75rem;font-weight:500;text-align:center;text-decoration:none;border-radius:.5rem;background:light-dark(#18181b,#fafafa);color:light-dark(#fff,#18181b)}button{width:100%;margin-top:1rem;padding:.5rem .75rem;font:inherit;font-weight:500;border:0;border-radius:.5rem;background:light-dark(#18181b,#fafafa);color:light-dark(#fff,#18181b);cursor:pointer}:focus-visible{outline:2px solid light-dark(#0f766e,#2dd4bf);outline-offset:2px}[role=alert]{margin:.5rem 0 0;color:light-dark(#b91c1c,#fca5a5)}`;

/**
 * The policy for plain pages: nothing but their own styles, and forms that are sent to the same
 * host.
 */
export const PLAIN_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Renders a page that belongs to no site: a box in the middle of the window. It works without
 * JavaScript and loads nothing.
 * @param content what follows the heading
 */
export function plainPage({
  title,
  heading,
  content,
}: {
  title: string;
  heading: string;
  content: Html;
}): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${trustedHtml(STYLE)}</style></head><body><main><h1>${heading}</h1>${content}</main></body></html>
`.value;
}

/** Accepts the password of a preview; below the preview, without a leading slash. */
export const UNLOCK_PATH = '_docent/unlock';

/** Opens a preview with a token for members; below the preview, too. */
export const OPEN_PATH = '_docent/open';

/**
 * Renders the page of a preview that only members may read.
 * @param address where members open it, on the host of the platform
 */
export function membersPage(address: string): string {
  return plainPage({
    title: 'Members only',
    heading: 'This preview is for members',
    content: html`<p>Members of the organization can open it with their account.</p><p><a href="${address}">Sign in to read it</a></p>`,
  });
}

/**
 * Renders the password page of a preview. It works without JavaScript and reveals nothing about the
 * preview.
 * @param to the path of the preview to continue to
 */
export function unlockPage({
  action,
  to,
  problem,
}: {
  action: string;
  to: string;
  problem?: string | undefined;
}): string {
  const alert =
    problem === undefined ? undefined : html`<p id="problem" role="alert">${problem}</p>`;
  const described =
    problem === undefined ? undefined : html` aria-describedby="problem" aria-invalid="true"`;
  return plainPage({
    title: 'Password required',
    heading: 'This preview is protected',
    content: html`<p>Enter its password to read it.</p><form method="post" action="${action}"><input type="hidden" name="to" value="${to}"><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required autofocus maxlength="200"${described}>${alert}<button type="submit">Continue</button></form>`,
  });
}

/** What the sign-in page of a site offers. */
interface SignInOptions {
  siteName: string;
  /** Where the forms are sent. */
  action: string;
  /** The path of the site to continue to. */
  redirect: string;
  /** Whether readers sign in with a shared password. */
  hasPassword: boolean;
  /** Whether readers get a link by mail. */
  hasMail: boolean;
  /** Other ways, each at an address. */
  links: readonly { text: string; address: string }[];
  problem?: string | undefined;
}

/** Renders the page where readers sign in to a site. It works without JavaScript. */
export function signInPage({
  siteName,
  action,
  redirect,
  hasPassword,
  hasMail,
  links,
  problem,
}: SignInOptions): string {
  const alert =
    problem === undefined ? undefined : html`<p id="problem" role="alert">${problem}</p>`;
  const described =
    problem === undefined ? undefined : html` aria-describedby="problem" aria-invalid="true"`;
  const password = html`<form method="post" action="${action}"><input type="hidden" name="redirect" value="${redirect}"><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required autofocus maxlength="200"${described}>${alert}<button type="submit">Sign in</button></form>`;
  const mail = html`<form method="post" action="${action}/mail"><input type="hidden" name="redirect" value="${redirect}"><label for="email">Email address</label><input id="email" name="email" type="email" autocomplete="email" required maxlength="254"${hasPassword ? undefined : described}>${hasPassword ? undefined : alert}<button type="submit">Send me a link</button></form>`;
  return plainPage({
    title: `Sign in to ${siteName}`,
    heading: `Sign in to ${siteName}`,
    content: html`<p>This documentation is for readers who sign in.</p>${hasPassword ? password : hasMail ? undefined : alert}${hasMail ? mail : undefined}${links.map(({ text, address }) => html`<a href="${address}">${text}</a>`)}`,
  });
}

/** Renders what a reader sees who requested a link. */
export function mailSentPage({ email, login }: { email: string; login: string }): string {
  return plainPage({
    title: 'Check your mail',
    heading: 'Check your mail',
    content: html`<p>If ${email} may read this documentation, a link to sign in is on its way. It works once, within 15 minutes.</p><a href="${login}">Back to the sign-in</a>`,
  });
}

/** Renders the page of a link from a mail, whose button signs the reader in. */
export function mailLinkPage({
  siteName,
  action,
  token,
}: {
  siteName: string;
  action: string;
  token: string;
}): string {
  return plainPage({
    title: `Sign in to ${siteName}`,
    heading: `Sign in to ${siteName}`,
    content: html`<form method="post" action="${action}"><input type="hidden" name="token" value="${token}"><button type="submit">Sign in</button></form>`,
  });
}

/** A page that runs a script, which its policy must allow. */
interface ScriptPage {
  page: string;
  script: string;
}

const TOKEN_SCRIPT = `const form=document.forms[0];form.elements.token.value=location.hash.slice(1);history.replaceState(null,'',location.pathname);form.submit()`;

/**
 * Renders the page that a sign-in elsewhere leads to with a token in the fragment, which browsers
 * send to no server: its script sends the token as a form.
 */
export function tokenPage({ action, redirect }: { action: string; redirect: string }): ScriptPage {
  const fields = html`<input type="hidden" name="token"><input type="hidden" name="redirect" value="${redirect}">`;
  const instead = html`<noscript><p>This needs JavaScript.</p></noscript>`;
  return sendingPage(
    html`<form method="post" action="${action}">${fields}</form>${instead}`,
    TOKEN_SCRIPT,
  );
}

/**
 * Renders a page that sends a form again which another site sent: browsers send cookies with it
 * then.
 */
export function relayPage({
  action,
  fields,
}: {
  action: string;
  fields: Readonly<Record<string, string>>;
}): ScriptPage {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  const button = html`<noscript><button type="submit">Continue</button></noscript>`;
  return sendingPage(
    html`<form method="post" action="${action}">${inputs}${button}</form>`,
    'document.forms[0].submit()',
  );
}

function sendingPage(form: Html, script: string): ScriptPage {
  const content = html`${form}<script>${trustedHtml(script)}</script>`;
  return { script, page: plainPage({ title: 'Signing in', heading: 'Signing in …', content }) };
}

/** Renders what a reader sees who signed out of a site, or is asked whether to. */
export function signOutPage({ login, action }: { login: string; action?: string }): string {
  if (action !== undefined)
    return plainPage({
      title: 'Sign out',
      heading: 'Sign out of this site?',
      content: html`<form method="post" action="${action}"><button type="submit">Sign out</button></form>`,
    });
  return plainPage({
    title: 'Signed out',
    heading: 'You are signed out',
    content: html`<p>Pages that only signed-in readers may read are closed in this browser.</p><a href="${login}">Sign in again</a>`,
  });
}

/** Renders what readers see of a private site at an address where they cannot sign in. */
export function ownAddressPage(address: string | undefined): string {
  return plainPage({
    title: 'Sign-in required',
    heading: 'This site is open at its own address',
    content:
      address === undefined
        ? html`<p>Its readers sign in, which needs a hostname. Its owners can add one in the dashboard.</p>`
        : html`<p>Its readers sign in there.</p><a href="${address}">Go to the site</a>`,
  });
}
