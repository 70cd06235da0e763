import { defineConfig } from 'vitest/config'

const ROOMS = '{schemas,rules,fixtures,suites,proxy,reports,reference,prove,cli,bench}'
const E2E = ['cli/e2e.test.ts', 'cli/readme.test.ts', 'cli/e2e/**/*.test.ts']

export default defineConfig({
  test: {
    projects: [
      {
        test: { name: 'unit', include: [`${ROOMS}/**/*.test.ts`], exclude: E2E, testTimeout: 30_000 },
      },
      // Runs the compiled program, when the unit tests are done, a file after the other: it starts servers and runs.
      {
        test: {
          name: 'e2e',
          include: E2E,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
