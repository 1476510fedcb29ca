import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { findKubectls } from '../support/kubectl.ts'
import { askForShared } from '../support/shared/ask-for-shared.ts'

// First of all suites (vitest.config.ts): what it begins is over when the last one looks at it.
it.skipIf(findKubectls().length === 0)('five minutes of kubectl with keys of 30 seconds begin', async () => {
  const { folder, seconds } = await askForShared('connectedKubectl')
  expect(existsSync(folder)).toBe(true)
  expect(seconds).toBe(300)
})
