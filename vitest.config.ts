import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

const UNIT = ['src/{core,theme,dashboard,config}/**/*.test.ts', 'src/*.test.ts'];

/** Part of the suite that `npm test -- --project <name>` runs alone. */
function project(
  name: string,
  include: string[],
  options: { isolate?: boolean; exclude?: string[] } = {},
): TestProjectConfiguration {
  return { extends: true, test: { name, include, ...options } };
}

export default defineConfig({
  test: {
    projects: [
      // Pure code, which leaves nothing behind: files share a worker and what it has loaded.
      project('unit', UNIT, { isolate: false }),
      project('integration', ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'test/bench/**/*.test.ts'], {
        exclude: UNIT,
      }),
      project('acceptance', ['test/acceptance/**/*.test.ts']),
      project('browser', ['test/e2e/**/*.test.ts']),
      project('deploy', ['test/deploy/**/*.test.ts']),
    ],
    // Otherwise one on a machine with two cores, though most tests that take long wait for processes of their own.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
    hookTimeout: 180_000,
    coverage: {
      provider: 'v8',
      reporter: ['text-summary', 'json-summary'],
      include: ['src/**/*.ts'],
      exclude: [
        'src/**/*.test.ts',
        'src/**/*.contract.ts',
        'src/theme/elements/**',
        // These run in a thread of their own, which the measuring does not see; the database's contract suite runs them.
        'src/adapters/database/pglite-{worker,engine}.ts',
      ],
      thresholds: {
        'src/core/**': { statements: 85 },
        'src/services/**': { statements: 85 },
        'src/adapters/**': { statements: 85 },
      },
    },
  },
});
