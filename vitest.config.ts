import { defineConfig } from 'vitest/config'

const ROOMS = '{schemas,rules,fixtures,suites,proxy,reports,reference,prove,engine,cli,library,bench}'
// Each deliberate fault against whole suites: too slow for every day, so they have a command of their own.
const PROOF = [
  'prove/{binding-shapes,bounds,breakages,collection-variants,conformant}.test.ts',
  'prove/{lines,lists-behind,many,sample,stored,walk}.test.ts',
  'cli/e2e/proof/**/*.test.ts',
  // Units test the same: here it goes through the whole program, which takes a quarter of a minute each.
  'cli/e2e/{conformance,record-faults}.test.ts',
]
// What changes a process for all that runs in it, or asks whether that was done.
const ALONE = ['library/{nock,untouched}.test.ts']
const E2E = ['cli/readme.test.ts', 'cli/e2e/**/*.test.ts']

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [`${ROOMS}/**/*.test.ts`],
          exclude: [...E2E, ...PROOF, ...ALONE],
          // by itself vitest leaves one core free: on two cores that is half of them
          maxWorkers: 2,
          testTimeout: 30_000,
          // Loading all modules anew for each file takes as long as the tests themselves.
          isolate: false,
        },
      },
      {
        test: { name: 'alone', include: ALONE, maxWorkers: 2, testTimeout: 30_000 },
      },
      {
        test: { name: 'proof', include: PROOF, testTimeout: 60_000, expect: { poll: { timeout: 5_000 } } },
      },
      // Runs the compiled program when the unit tests are done, two files at a time: a test has its own folder and servers.
      {
        test: {
          name: 'e2e',
          include: E2E,
          exclude: PROOF,
          maxWorkers: 2,
          isolate: false,
          sequence: { groupOrder: 1 },
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 5_000 } },
        },
      },
    ],
  },
})
