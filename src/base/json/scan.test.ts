import fc from 'fast-check'
import { expect, it } from 'vitest'
import { TooMuchError } from './error.ts'
import { countSteps } from './parse.ts'
import { JsonScan, outlineJson } from './scan.ts'

it('finds the same in one pass as in several steps', () => {
  const property = fc.property(fc.json(), fc.integer({ min: 1, max: 20 }), (text, characters) => {
    const scan = new JsonScan(text)
    while (!scan.isDone) scan.advance(characters)
    expect(scan.outline).toEqual(outlineJson(text))
  })
  fc.assert(property)
})

/** How many steps the count takes, and whether the text holds too much. */
function counted(text: string, mostValues: number): { readonly steps: number; readonly isTooMuch: boolean } {
  let steps = 0
  try {
    for (const _ of countSteps(text, mostValues)) steps += 1
  } catch (error) {
    if (error instanceof TooMuchError) return { steps, isTooMuch: true }
    throw error
  }
  return { steps, isTooMuch: false }
}

it('counts a long text in steps, and stops at its limit', () => {
  const text = `[${'1,'.repeat(1_000_000)}1]`
  expect(counted(text, 2_000_000)).toEqual({ steps: 31, isTooMuch: false })
  expect(counted(text, 100_000)).toEqual({ steps: 3, isTooMuch: true })
})
