/** Where the page stands that an authorization server sends readers back to, from the root of the site. */
export const OAUTH_PAGE = '_docent/oauth.html';

/**
 * That page. It takes what came back out of the address at once, and hands it to the page that opened it over a channel whose
 * name holds the secret `state` of that page (RFC 6749, section 10.12).
 */
export const oauthPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><title>OAuth</title></head><body><p>✓</p><script>
(() => {
  const given = new URLSearchParams(location.search);
  history.replaceState(null, '', location.pathname);
  const state = given.get('state');
  if (!state) return;
  const channel = new BroadcastChannel('docent-oauth ' + state);
  channel.postMessage({ code: given.get('code'), error: given.get('error'), description: given.get('error_description') });
  channel.close();
  window.close();
})();
</script></body></html>
`;
