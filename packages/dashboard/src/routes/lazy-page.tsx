import type { RouteComponent } from '@tanstack/react-router';
import { use } from 'react';
import { loadModule, loadWhenIdle, NotLoadedError } from '../ui/on-demand.ts';

/**
 * A page whose code is loaded on demand. Without a connection it throws a `NotLoadedError`, which
 * can be retried.
 * @param name of the component in the module
 */
export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, RouteComponent>>,
  name: Name,
) {
  let component: RouteComponent | undefined;
  let loading: Promise<void> | undefined;
  const loadPage = async () => {
    try {
      component = (await loadModule(load))[name];
    } catch (error) {
      if (error instanceof NotLoadedError) error.forget = () => (loading = undefined);
      throw error;
    }
  };
  const start = () => (loading ??= loadPage());
  function LazyPage(props: object) {
    if (!component) use(start());
    const Page = component as RouteComponent;
    return <Page {...props} />;
  }
  // The page itself says why it could not be loaded.
  const preload = () => start().catch(() => {});
  loadWhenIdle(preload);
  return Object.assign(LazyPage, { preload }) as RouteComponent;
}
