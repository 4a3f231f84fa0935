/**
 * A browser that knows nothing, for components that ask the browser while they render instead of in an effect: a light, wide window
 * without storage and with an empty document. The build turns to it only when they fail without.
 */
const nothing = (): void => {};
const none = (): null => null;

const element = {
  classList: { add: nothing, contains: () => false, remove: nothing, toggle: () => false },
  style: { setProperty: nothing },
  dataset: {},
  addEventListener: nothing,
  appendChild: nothing,
  getAttribute: none,
  hasAttribute: () => false,
  querySelector: none,
  querySelectorAll: () => [],
  removeEventListener: nothing,
  setAttribute: nothing,
};
const storage = { getItem: none, removeItem: nothing, setItem: nothing };
const location = { hash: '', host: '', hostname: '', href: '', origin: '', pathname: '/', protocol: 'https:', search: '' };

const browser = {
  addEventListener: nothing,
  devicePixelRatio: 1,
  document: {
    ...element,
    body: element,
    cookie: '',
    createElement: () => element,
    documentElement: element,
    getElementById: none,
    getElementsByClassName: () => [],
    getElementsByTagName: () => [],
    head: element,
    location,
    title: '',
  },
  getComputedStyle: () => ({ getPropertyValue: () => '' }),
  history: { pushState: nothing, replaceState: nothing, state: null },
  innerHeight: 800,
  innerWidth: 1280,
  localStorage: storage,
  location,
  matchMedia: () => ({ ...element, addListener: nothing, matches: false, removeListener: nothing }),
  navigator: { language: 'en-US', languages: ['en-US'], onLine: true, platform: '', userAgent: '' },
  removeEventListener: nothing,
  scrollX: 0,
  scrollY: 0,
  sessionStorage: storage,
};

(globalThis as unknown as Record<string, unknown>).docentPretendBrowser = () => {
  Object.assign(globalThis, browser, { window: globalThis });
};
