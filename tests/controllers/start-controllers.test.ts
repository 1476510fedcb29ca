import { expect, it } from 'vitest'
import type { ControllerParts } from '../../src/cluster/controllers/controller-parts.ts'
import { startControllers } from '../../src/cluster/controllers/controllers.ts'

const noParts = {} as ControllerParts

it('if one controller fails to start, the earlier ones stop', () => {
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
