import { expect, it } from 'vitest'
import { warningTexts } from './warning-header.ts'

it.each([
  [undefined, []],
  ['299 - "spec.parent is deprecated"', ['spec.parent is deprecated']],
  ['299 - "one", 299 - "two, with a comma"', ['one', 'two, with a comma']],
  [String.raw`299 - "say \"no\" and \\"`, [String.raw`say "no" and \ `.trimEnd()]],
  [
    ['299 - "one"', '299 - "two"'],
    ['one', 'two'],
  ],
  ['nothing of the kind', []],
])('reads the warnings in %j', (header, texts) => {
  expect(warningTexts(header)).toEqual(texts)
})
