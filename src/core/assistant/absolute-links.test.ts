import { expect, it } from 'vitest';
import { absoluteLinks } from './absolute-links.ts';

const whole = (markdown: string) => absoluteLinks(markdown, 'https://docs.example.com', '/guides/keys');

it('links and pictures of a page lead to the site from wherever its text is shown', () => {
  expect(whole('See [a](/start), [b](#rotate) and ![c](/img/c.png "t").')).toBe(
    'See [a](https://docs.example.com/start), [b](https://docs.example.com/guides/keys#rotate) and ![c](https://docs.example.com/img/c.png "t").',
  );
  expect(whole('[a](</with space>)\n\n[home](/)')).toBe(
    '[a](<https://docs.example.com/with space>)\n\n[home](https://docs.example.com/)',
  );
});

it('addresses of other sites, and code, stay as they are', () => {
  const text = '[a](https://x.io/y) [b](//x.io) [m](mailto:a@b.c) `[c](/d)`\n\n~~~md\n[e](/f)\n```\n[g](/h)\n~~~';
  expect(whole(text)).toBe(text);
});
