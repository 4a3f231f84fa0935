import { runInNewContext } from 'node:vm';
import type { SiteConfig } from '@docent/format/docs-json/site-config.ts';
import { describe, expect, it } from 'vitest';
import { inlineScripts } from './inline-script.ts';
import { APPEARANCE_KEY, BANNER_KEY } from './shared-names.ts';

interface Browser {
  stored?: Record<string, string>;
  systemDark?: boolean;
  storageForbidden?: boolean;
}

function run(
  setting: SiteConfig['appearance'],
  browser: Browser = {},
): { classes: Set<string>; dataset: Record<string, string> } {
  const classes = new Set<string>();
  const dataset: Record<string, string> = {};
  const classList = {
    add: (name: string) => classes.add(name),
    toggle: (name: string, on: boolean) => (on ? classes.add(name) : classes.delete(name)),
  };
  const world = {
    document: {
      documentElement: { classList, dataset },
      currentScript: {
        dataset: { appearance: setting.default, ...(setting.strict && { strict: '' }) },
      },
    },
    navigator: { platform: 'Linux' },
    matchMedia: () => ({ matches: browser.systemDark ?? false }),
    get localStorage() {
      if (browser.storageForbidden) throw new Error('denied');
      return { getItem: (key: string) => browser.stored?.[key] ?? null };
    },
  };
  runInNewContext(inlineScripts.appearance, world);
  return { classes, dataset };
}

const system = { default: 'system', strict: false } as const;

describe('the script before the first paint', () => {
  it('follows the system if the reader has not chosen', () => {
    expect(run(system, { systemDark: true }).classes).toContain('dark');
    expect(run(system, { systemDark: false }).classes).not.toContain('dark');
  });

  it('prefers the choice of the reader', () => {
    expect(
      run(system, { stored: { [APPEARANCE_KEY]: 'light' }, systemDark: true }).classes,
    ).not.toContain('dark');
    expect(
      run({ default: 'light', strict: false }, { stored: { [APPEARANCE_KEY]: 'dark' } }).classes,
    ).toContain('dark');
  });

  it('ignores the choice of the reader if the appearance is strict', () => {
    expect(
      run(
        { default: 'light', strict: true },
        { stored: { [APPEARANCE_KEY]: 'dark' }, systemDark: true },
      ).classes,
    ).not.toContain('dark');
  });

  it('falls back to the default if storage is unavailable', () => {
    expect(run({ default: 'dark', strict: false }, { storageForbidden: true }).classes).toContain(
      'dark',
    );
  });

  it('hides a dismissed announcement before the first paint', () => {
    expect(run(system, { stored: { [BANNER_KEY]: 'abc' } }).dataset.bannerDismissed).toBe('abc');
  });
});
