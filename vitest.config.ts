import { availableParallelism } from 'node:os';
import {
  defineConfig,
  type TestProjectConfiguration,
  type TestProjectInlineConfiguration,
} from 'vitest/config';

const UNIT = [
  'packages/{format,search,assistant,symbol-reference,theme,dashboard}/src/**/*.test.ts',
  'packages/server/src/kernel/config/*.test.ts',
];

/** Replaces a module, so it needs Vitest's hooks in Node.js's loader. */
const MOCKING = ['packages/server/src/accounts/other-organization.test.ts'];

/**
 * Tests of servers, processes and browsers: on a slow machine, CI tries one that failed once more.
 * The reporter marks it "retry x1". `scripts/test.ts` repeats a file that still fails.
 */
const RETRIED = { retry: process.env.CI === 'true' ? 1 : 0 };
const PROCESSES = { globalSetup: ['test/support/build-program.ts'], ...RETRIED };
const RUNNING = {
  globalSetup: ['test/support/build-program.ts', 'test/support/start-template.ts'],
  ...RETRIED,
};

/** Part of the suite that `npm test -- --project <name>` runs alone. */
function project(
  name: string,
  include: string[],
  options: Pick<
    NonNullable<TestProjectInlineConfiguration['test']>,
    'exclude' | 'experimental' | 'globalSetup' | 'retry' | 'setupFiles'
  > = {},
): TestProjectConfiguration {
  return { extends: true, test: { name, include, ...options } };
}

export default defineConfig({
  test: {
    projects: [
      project('unit', UNIT),
      project('integration', ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'], {
        exclude: [...UNIT, ...MOCKING],
        setupFiles: ['test/support/bundled-builds.ts'],
        ...PROCESSES,
      }),
      project('mocking', MOCKING, { experimental: { nodeLoader: true }, ...RETRIED }),
      project('acceptance', ['test/acceptance/**/*.test.ts'], RUNNING),
      project('browser', ['test/e2e/**/*.test.ts'], RUNNING),
      project('deploy', ['test/deploy/**/*.test.ts'], RUNNING),
      project('bench', ['test/bench/**/*.test.ts'], RUNNING),
    ],
    // One more than the cores of a small machine: most tests that take long wait for processes of
    // their own. With two workers, two cores were idle for 17 % of the time; with three, the suite
    // takes 0.91 of it (2026-11-27). The CPU is what limits it: a test publishes the fixture `small`
    // unless it is about more, polls ever less often, and walks pages once. CPU of all processes
    // of the 19 files that took most of it, before and after: 980 s, 650 s (2026-11-30).
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Files share a worker, with what it has loaded and started: loading takes longer than most of
    // them. So they leave nothing behind.
    isolate: false,
    // Node.js loads the sources itself, as in production, and keeps them compiled in its cache: the
    // unit tests take two thirds of the CPU time of Vitest's own loader (38 s, 58 s; 2026-11-29).
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: ['--max-semi-space-size=64'],
    // A machine that is ten times slower than a quiet one meets no limit of time: a condition that it
    // reaches late still holds.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 150 } },
    coverage: {
      provider: 'v8',
      reporter: ['text-summary', 'json-summary'],
      include: ['packages/*/src/**/*.ts'],
      exclude: [
        'packages/*/src/**/*.test.ts',
        'packages/*/src/**/*.contract.ts',
        'packages/theme/src/elements/**',
        // These run in a thread of their own, which the measuring does not see; the database's
        // contract suite runs them.
        'packages/server/src/adapters/database/pglite-{worker,engine}.ts',
      ],
      thresholds: {
        'packages/{format,search,assistant}/src/**': { statements: 85 },
        'packages/server/src/**': { statements: 85 },
      },
    },
  },
});
