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

/** Properties that React and promises probe on any value. */
const ASKED_OF_ALL = new Set(['__esModule', 'prototype', 'then', 'toJSON', 'defaultProps', 'contextType', 'displayName']);

/** A missing module: using anything from it, other than what is kept, throws an error that says why. */
function missing(reason: string, kept: Readonly<Record<PropertyKey, unknown>> = {}): unknown {
  const fail = (): never => {
    throw new Error(reason);
  };
  // The bundler copies a module's own properties and keeps inherited ones, so everything is inherited.
  const inherited = new Proxy(Object.create(null) as object, {
    get: (_, key) => {
      if (typeof key === 'symbol' || ASKED_OF_ALL.has(key)) return undefined;
      return Object.hasOwn(kept, key) ? kept[key] : missing(reason);
    },
  });
  return Object.setPrototypeOf(fail, inherited);
}

const runtime = { ...React, builtIns, fetch: fetchFile, location: siteLocation, missing, user: Object.freeze({}) };

function register([hash, make]: Entry): void {
  try {
    registerComponents(hash, make(runtime));
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
