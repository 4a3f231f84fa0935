/** What work can wait for while it is unavailable, in words that follow "waiting for". */
export const DEPENDENCIES = {
  database: 'the database',
  fileStore: 'the file store',
  redis: 'Redis',
  disk: 'free space on the disk',
  olderVersion: 'an older version of the server to end',
  service: 'a service that the server depends on',
} as const;

export type Dependency = keyof typeof DEPENDENCIES;

export const dependencyNames = Object.keys(DEPENDENCIES) as [Dependency, ...Dependency[]];
