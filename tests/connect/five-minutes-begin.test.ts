import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { findKubectls } from '../support/clusters/kubectl.ts'
import { askForShared } from '../support/shared/ask-for-shared.ts'

// The first of all suites (vitest.config.ts): its five minutes are over when the last suite checks the result.
it.skipIf(findKubectls().length === 0)('five minutes of kubectl with keys of 30 seconds begin', async () => {
  const { folder, seconds } = await askForShared('connectedKubectl')
  expect(existsSync(folder)).toBe(true)
  expect(seconds).toBe(300)
})
