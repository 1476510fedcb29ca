import { expect, it } from 'vitest'
import {
  durationArgument,
  positiveDurationArgument,
  positiveSecondsArgument,
  secondsArgument,
} from './duration-argument.ts'

const day = 86_400

it.each([
  [durationArgument, '30d', 30 * day],
  [durationArgument, '0s', 0],
  [positiveDurationArgument, '1d12h', 1.5 * day],
  [secondsArgument, '30d', 30 * day],
  [secondsArgument, '2592000', 30 * day],
  [secondsArgument, '0', 0],
  [positiveSecondsArgument, '40', 40],
  [positiveSecondsArgument, '5m', 300],
])('%o reads %s as %d seconds', (read, text, seconds) => {
  expect(read(text)).toBe(seconds)
})

it.each([
  [durationArgument, '30', 'needs a unit'],
  [durationArgument, 'soon', 'is not a duration'],
  [positiveDurationArgument, '0s', 'more than 0'],
  [positiveSecondsArgument, '0', 'more than 0'],
  [secondsArgument, '-1', 'is not a duration'],
  [secondsArgument, '99999999999', 'is not a duration'],
])('%o refuses %s', (read, text, words) => {
  expect(() => read(text)).toThrow(words)
})
