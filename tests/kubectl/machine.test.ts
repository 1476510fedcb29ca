import { expect, it } from 'vitest'
import { findKubectls, missingKubectls } from '../support/clusters/kubectl.ts'

it.skipIf(process.env.CI !== 'true')('CI has a current and an old kubectl', () => {
  expect(missingKubectls(findKubectls())).toEqual([])
})
