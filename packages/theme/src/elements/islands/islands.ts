import { missingModules } from '@docent/format/content/islands/missing-modules.ts';
import * as React from 'preact/compat';
import { DocentIsland, registerComponents } from './island-element.ts';
import { fetchFile, rewriteAddresses, siteLocation } from './links.ts';
import { partComponent } from './parts.ts';

/** What a component script registers: its name, and a factory that receives React. */
type Entry = [hash: string, make: (react: unknown) => Record<string, unknown>];

interface IslandWindow {
  docentIslands?: Entry[] | { push(entry: Entry): void };
}

const builtIns = new Proxy({} as Record<string, unknown>, {
  get: (_, name) => (typeof name === 'string' ? partComponent(name) : undefined),
});

const { load, missing } = missingModules();
const runtime = {
  ...React,
  builtIns,
  fetch: fetchFile,
  location: siteLocation,
  missing,
  user: Object.freeze({}),
};

function register([hash, make]: Entry): void {
  try {
    registerComponents(
      hash,
      load(() => make(runtime)),
    );
  } catch (error) {
    console.warn('The components of this page have failed:', error);
  }
}

rewriteAddresses();
customElements.define('docent-island', DocentIsland);
const holder = self as unknown as IslandWindow;
const waiting = Array.isArray(holder.docentIslands) ? holder.docentIslands : [];
holder.docentIslands = { push: register };
for (const entry of waiting) register(entry);
