import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
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
