import { type ArchiveServer, startArchiveServer } from './archive-server.ts';
import {
  type RunningBundleServer,
  type StartBundleOptions,
  startBundleServer,
} from './start-bundle-server.ts';

/** The servers of one test, which `closeAll` ends. */
export interface BundleServers {
  serve(location: string | undefined, options?: StartBundleOptions): Promise<RunningBundleServer>;
  archive(bytes: Uint8Array, more?: object): Promise<ArchiveServer>;
  closeAll(): Promise<void>;
}

export function bundleServers(): BundleServers {
  const opened = new Set<() => Promise<unknown>>();
  return {
    async serve(location, options) {
      const server = await startBundleServer(location, options);
      opened.add(() => server.kill());
      return server;
    },
    async archive(bytes, more = {}) {
      const server = await startArchiveServer({ bytes, ...more });
      opened.add(() => server.close());
      return server;
    },
    async closeAll() {
      for (const close of opened) await close();
      opened.clear();
    },
  };
}
