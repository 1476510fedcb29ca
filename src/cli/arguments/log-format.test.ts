import { expect, it } from 'vitest'
import { logFormat } from './log-format.ts'

it.each([
  ['auto', true, 'text'],
  ['auto', false, 'json'],
  ['auto', undefined, 'json'],
  ['json', true, 'json'],
  ['text', false, 'text'],
] as const)('--log-format %s, on a terminal: %s, is %s', (flag, isTTY, expected) => {
  const stderr = { write: () => {}, ...(isTTY !== undefined && { isTTY }) }
  expect(logFormat(flag, { stderr })).toBe(expected)
})
