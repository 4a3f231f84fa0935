import { expect, it } from 'vitest';
import { absoluteLinks } from './absolute-links.ts';

const whole = (markdown: string) => absoluteLinks(markdown, 'https://docs.example.com', '/guides/keys');

it('links and images of a page become absolute URLs of the site', () => {
  expect(whole('See [a](/start), [b](#rotate) and ![c](/img/c.png "t").')).toBe(
    'See [a](https://docs.example.com/start), [b](https://docs.example.com/guides/keys#rotate) and ![c](https://docs.example.com/img/c.png "t").',
  );
  expect(whole('[a](</with space>)\n\n[home](/)')).toBe(
    '[a](<https://docs.example.com/with space>)\n\n[home](https://docs.example.com/)',
  );
});

it('links to other sites and links in code are unchanged', () => {
  const text = '[a](https://x.io/y) [b](//x.io) [m](mailto:a@b.c) `[c](/d)`\n\n~~~md\n[e](/f)\n```\n[g](/h)\n~~~';
  expect(whole(text)).toBe(text);
});
