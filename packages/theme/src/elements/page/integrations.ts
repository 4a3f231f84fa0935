import type {
  IntegrationStep,
  LoadedIntegration,
} from '@docent/format/docs-json/settings/integration-table.ts';
import { optsOut } from '../analytics.ts';
import { button, make } from '../dom.ts';
import { pageData } from '../page-data.ts';
import { readStored, writeStored } from '../storage.ts';

type Globals = Record<string, unknown>;
const globals = globalThis as unknown as Globals;

/** Returns the object and the property of a path such as `posthog.init`. */
function placeOf(path: string): [holder: Globals | undefined, name: string] {
  const [first = '', second] = path.split('.');
  return second === undefined ? [globals, first] : [globals[first] as Globals | undefined, second];
}

function present(value: unknown): unknown {
  if (value === '$now') return new Date();
  if (Array.isArray(value)) return value.map(present);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, present(part)]));
}

/** Returns the value of a global name; sets it to `made` if it is undefined. */
function globalOf<Value>(name: string, initialValue: Value): Value {
  globals[name] ??= initialValue;
  return globals[name] as Value;
}

function run(step: IntegrationStep): void {
  if ('queue' in step) {
    const { queue, list } = step;
    const kept: unknown[] = list === undefined ? [] : globalOf(list, []);
    // The scripts recognize queued calls by their type, `arguments`.
    const waiting = function () {
      // biome-ignore lint/complexity/noArguments: see above
      kept.push(arguments);
    };
    globalOf(queue, Object.assign(waiting, { q: kept }));
  } else if ('global' in step) globalOf(step.global, present(step.value));
  else if ('object' in step) Object.assign(globalOf(step.object, {}), present(step.value));
  else {
    const [holder, name] = placeOf(step.call);
    const call = holder?.[name];
    if (typeof call === 'function') call.apply(holder, present(step.args));
  }
}

function load({ script, attributes, before, after }: LoadedIntegration): void {
  for (const step of before) run(step);
  const element = make('script');
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.src = script;
  element.async = true;
  // If a blocker stops it, nothing follows.
  element.onload = () => after.forEach(run);
  document.head.append(element);
}

/** Asks the reader once; the choice is kept in the browser's storage. */
function ask(
  texts: { text: string; allow: string; decline: string },
  decide: (isAllowed: boolean) => void,
): void {
  const answer = (isAllowed: boolean): void => {
    bar.remove();
    decide(isAllowed);
  };
  const decline = button('d-btn d-btn-small', () => answer(false), texts.decline);
  const allow = button('d-btn d-btn-small d-btn-accent', () => answer(true), texts.allow);
  const text = make('p', '', texts.text);
  text.id = 'consent-text';
  const bar = make('section', 'd-consent', text, make('div', '', decline, allow));
  bar.setAttribute('aria-labelledby', text.id);
  document.body.append(bar);
}

const DECLINED = 'docent-declined';

/**
 * Loads the scripts of third-party services when the page is usable: those named in the page, which
 * the site chose and the operator allows. With consent, after the reader has agreed. Readers who
 * opt out are not tracked unless they agree.
 */
export function startIntegrations(): void {
  const { integrations } = pageData();
  if (!integrations) return;
  const { services, consent } = integrations;
  const start = () => {
    const first = services.filter(({ kind }) => kind === 'consent');
    const others = services.filter(({ kind }) => kind !== 'consent');
    for (const service of first) load(service);
    if (!consent) {
      for (const service of others) if (service.kind === 'chat' || !optsOut()) load(service);
      return;
    }
    const { key, value, ...texts } = consent;
    const loadOthers = () => others.forEach(load);
    if (readStored('local', key) === value) loadOthers();
    else if (readStored('local', DECLINED) === null && first.length === 0 && others.length > 0)
      ask(texts, (isAllowed) => {
        writeStored('local', isAllowed ? key : DECLINED, isAllowed ? value : '1');
        if (isAllowed) loadOthers();
      });
  };
  const whenIdle = () =>
    'requestIdleCallback' in globalThis
      ? requestIdleCallback(start, { timeout: 3000 })
      : setTimeout(start, 500);
  if (document.readyState === 'complete') whenIdle();
  else addEventListener('load', whenIdle, { once: true });
}
