import { expect, it } from 'vitest'
import { errorTexts, previewCreate, previewUpdate } from '../../../tests/support/strategy-steps.ts'
import { priorityClass } from './priority-class.ts'

const system = { metadata: { name: 'system-node-critical' }, value: 2_000_001_000 }

it.each([
  [system, []],
  [{ ...system, value: 1 }, ['value of system-node-critical PriorityClass must be 2000001000']],
  [{ ...system, globalDefault: true }, ['globalDefault of system-node-critical PriorityClass must be false']],
  [{ ...system, metadata: { name: 'system-x' } }, ['system-x is not a known system priority class']],
])('a new PriorityClass with a reserved name: %j', (object, problems) => {
  expect(errorTexts(previewCreate(priorityClass, object))).toEqual(
    problems.map((problem) => expect.stringContaining(`reserved for system use only. error: ${problem}`)),
  )
})

it('a system PriorityClass may change, except for its value', () => {
  const { object } = previewCreate(priorityClass, system)
  expect(errorTexts(previewUpdate(priorityClass, { ...system, globalDefault: true }, object))).toEqual([])
  expect(errorTexts(previewUpdate(priorityClass, { ...system, value: 7 }, object))).toEqual([
    'value: Forbidden: may not be changed in an update.',
  ])
})
