import { expect, it } from 'vitest';
import { drawIcon } from './page-icon.ts';

const icons = {
  find: () => ({ body: '<path d="M0 0h24" stroke="currentColor"/>', width: 24, height: 24 }),
};

it('an icon with classes is a mask, so that styles can color it as text or as a background', () => {
  const drawn = drawIcon('x', 'lucide', icons, { className: 'no "x"', color: '#f00' }) ?? '';
  expect(drawn).toMatch(
    /^<svg viewBox="0 0 24 24" class="d-icon d-mask no &quot;x&quot;" width="1em" height="1em" style="[^"]*" aria-hidden="true"><\/svg>$/,
  );
  const style = /style="([^"]*)"/.exec(drawn)?.[1]?.replaceAll('&quot;', '"') ?? '';
  const mask =
    /^--d-icon: url\("data:image\/svg\+xml,([^"]*)"\); color: #f00$/.exec(style)?.[1] ?? '';
  expect(decodeURIComponent(mask)).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M0 0h24" stroke="currentColor"/></svg>',
  );
  expect(drawIcon('x', 'lucide', icons, {})).toContain(
    '<path d="M0 0h24" stroke="currentColor"/></svg>',
  );
});
