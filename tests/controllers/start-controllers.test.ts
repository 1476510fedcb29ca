import { expect, it } from 'vitest'
import type { ControllerParts } from '../../src/cluster/controller-parts.ts'
import { startControllers } from '../../src/cluster/controllers.ts'

const noParts = {} as ControllerParts

it('if one controller does not start, those before it stop', () => {
  let isRunning = true
  const stop = async () => {
    isRunning = false
  }
  const table = {
    first: () => ({ stop }),
    second: () => {
      throw new Error('not this one')
    },
  }
  expect(() => startControllers(table, noParts)).toThrow('not this one')
  expect(isRunning).toBe(false)
})
