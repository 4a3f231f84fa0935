import type { BuiltPage } from '@docent/format/build/site-build.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { testConfig } from '../../../../test/support/test-view.ts';
import { cardHash, createPreviewImages, previewCard } from './preview-images.ts';

const page = (changes: Partial<BuiltPage> = {}): BuiltPage => ({
  path: 'a',
  href: '/a',
  file: 'a.mdx',
  title: 'Quickstart',
  mode: 'default',
  content: { sha256: '', sizeBytes: 0, type: '' },
  ...changes,
});
const cardOf = (changes: Partial<BuiltPage> = {}, config = testConfig()) =>
  previewCard({ config, files: {} }, page(changes));

const kept = new Map<string, Uint8Array>();
const store = {
  read: async (key: string) => kept.get(key),
  put: async (key: string, bytes: Uint8Array) => void kept.set(key, bytes),
};
const previews = createPreviewImages(store);
afterAll(() => previews.close());

describe('the preview images for links', () => {
  it('are rendered once per content, and then read from the store', {
    timeout: 60_000,
  }, async () => {
    const [one, again] = await Promise.all([previews.get(cardOf()), previews.get(cardOf())]);
    expect(again).toBe(one);
    const view = Buffer.from(one);
    expect(view.subarray(1, 4).toString()).toBe('PNG');
    expect([view.readUInt32BE(16), view.readUInt32BE(20)]).toEqual([1200, 630]);
    expect([...kept.keys()]).toEqual([
      `previews/${cardHash(cardOf()).slice(0, 2)}/${cardHash(cardOf())}.png`,
    ]);
    const other = await previews.get(cardOf({ title: 'Authentication' }));
    expect(Buffer.compare(Buffer.from(other), view)).not.toBe(0);
    kept.set([...kept.keys()][0] as string, new Uint8Array([1]));
    expect(await previews.get(cardOf())).toEqual(new Uint8Array([1]));
  });

  it('have a smaller version for lists, with less than a third of the bytes', {
    timeout: 60_000,
  }, async () => {
    const card = cardOf({ title: 'In a list' });
    const [full, small] = await Promise.all([previews.get(card), previews.get(card, 'small')]);
    const view = Buffer.from(small);
    expect(view.toString('latin1', 8, 16)).toBe('WEBPVP8X');
    expect([view.readUIntLE(24, 3) + 1, view.readUIntLE(27, 3) + 1]).toEqual([800, 420]);
    expect(small.byteLength * 3).toBeLessThan(full.byteLength);
  });

  it('show only the logo if no font has the characters of the title', {
    timeout: 60_000,
  }, async () => {
    const [first, second] = await Promise.all(
      ['\u{16A0}\u{16A2}', '\u{10330}\u{10331}'].map((title) => previews.get(cardOf({ title }))),
    );
    expect(first).toEqual(second);
  });

  it('use the colors and images of the site, and sanitize its texts', () => {
    const config = testConfig({
      thumbnails: { appearance: 'dark', background: '/bg.png' },
      colors: { primary: 'x', light: 'y', dark: '' },
    });
    const file = { sha256: 'f'.repeat(64), sizeBytes: 10, type: 'image/png' };
    const card = previewCard(
      { config, files: { 'bg.png': file } },
      page({ title: 'x'.repeat(5000), description: 'a\nb\u0000' }),
    );
    expect(card).toMatchObject({ backdrop: file.sha256, description: 'a b' });
    expect(card.title.length).toBeLessThanOrEqual(160);
    expect(card.colors.background).toBe('#0e0f12');
    for (const color of Object.values(card.colors)) expect(color).toMatch(/^#[0-9a-f]{6}$/);
  });
});
