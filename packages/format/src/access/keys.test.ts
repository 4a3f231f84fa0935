import { describe, expect, it } from 'vitest';
import { formatKey, KEY_RANDOM_BYTES, maskKey, parseKey } from './keys.ts';

const random = Uint8Array.from({ length: KEY_RANDOM_BYTES }, (_, index) => (index * 37 + 11) % 256);

describe('keys', () => {
  it('have a kind that their prefix determines', () => {
    expect(formatKey('assistant', random)).toMatch(/^svc_dsc_[0-9A-Za-z]{39}$/);
    expect(formatKey('admin', random)).toMatch(/^svc_(?!dsc_)[0-9A-Za-z]{39}$/);
    expect(parseKey(formatKey('assistant', random))).toEqual({ kind: 'assistant' });
    expect(parseKey(formatKey('admin', random))).toEqual({ kind: 'admin' });
  });

  it('have the same length for every random value', () => {
    for (const fill of [0, 255]) {
      const key = formatKey('admin', new Uint8Array(KEY_RANDOM_BYTES).fill(fill));
      expect(key).toHaveLength('svc_'.length + 39);
      expect(parseKey(key)).toEqual({ kind: 'admin' });
    }
  });

  it('contain their complete random value', () => {
    const other = random.slice();
    other[KEY_RANDOM_BYTES - 1] = (other[KEY_RANDOM_BYTES - 1] as number) ^ 1;
    expect(formatKey('admin', random)).not.toBe(formatKey('admin', other));
    expect(() => formatKey('admin', new Uint8Array(8))).toThrow(TypeError);
  });

  it('with any one character changed are invalid', () => {
    const key = formatKey('assistant', random);
    for (let index = 0; index < key.length; index++) {
      const changed = key.slice(0, index) + (key[index] === 'x' ? 'y' : 'x') + key.slice(index + 1);
      expect(parseKey(changed), changed).toBeUndefined();
    }
  });

  it.each(['', 'svc_', 'svc_dsc_', 'sk_live_abc', 'svc_§', 'svc_dsc_'.padEnd(47, '0')])(
    'are never parsed from %j',
    (text) => {
      expect(parseKey(text)).toBeUndefined();
    },
  );

  it('are displayed only by their prefix and last four characters', () => {
    const key = formatKey('assistant', random);
    expect(maskKey(key)).toBe(`svc_dsc_…${key.slice(-4)}`);
    expect(maskKey(formatKey('admin', random))).toMatch(/^svc_….{4}$/);
  });
});
