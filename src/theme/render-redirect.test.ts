import { expect, it } from 'vitest';
import { renderRedirect } from './render-redirect.ts';

it('leads on with and without scripts', () => {
  const page = renderRedirect('../guides/start.html');
  expect(page).toContain('content="1;url=../guides/start.html"');
  expect(page).toContain('location.replace("../guides/start.html"');
});

it('cannot be broken out of by an address', () => {
  const page = renderRedirect('/a"></script><script>alert(1)</script>');
  expect(page).not.toContain('<script>alert');
});
