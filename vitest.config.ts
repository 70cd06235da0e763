import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{schemas,rules,fixtures,suites,proxy,reports,reference,prove,cli,bench}/**/*.test.ts'],
    testTimeout: 30_000,
  },
})
