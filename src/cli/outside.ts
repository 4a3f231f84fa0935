import type { FetchOutside } from '../compiler/outside/outside.ts';

/** The flag of the commands that build locally. */
export interface FetchFlag {
  /** `false`: nothing is fetched from the network. */
  fetch?: boolean;
}

export const NO_FETCH = ['--no-fetch', 'read nothing from other servers (DOCENT_FETCH_REMOTE=off)'] as const;

/**
 * Runs a command that may fetch files that a site refers to by URL.
 * @throws DocentError `invalid_setting`
 */
export async function withOutside<Value>(
  env: NodeJS.ProcessEnv,
  { fetch }: FetchFlag,
  run: (fetchOutside: FetchOutside | undefined) => Promise<Value>,
): Promise<Value> {
  const { openLocalOutside } = await import('../compose-outside.ts');
  const outside = await openLocalOutside(env, fetch);
  try {
    return await run(outside.fetchOutside);
  } finally {
    await outside.close();
  }
}
