import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['tests/scope/mutation.ts'], pool: 'threads' },
})
