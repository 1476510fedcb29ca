import { expect, it } from 'vitest'
import { addressProblem, prefixProblem } from './ip-problem.ts'

it.each([
  ['x', 'unable to parse IP'],
  ['10.0.0.0/8', 'unexpected character (at "/8")'],
  ['::/0', 'each colon-separated field must have at least one digit (at "/0")'],
  ['1.5', 'IPv4 address too short'],
  ['1.2.3.4.5', 'IPv4 address too long'],
  ['1..2.3', 'IPv4 field must have at least one digit (at ".2.3")'],
  ['01.2.3.4', 'IPv4 field has octet with leading zero'],
  ['1.2.3.256', 'IPv4 field has value >255'],
  ['%%', 'missing IPv6 address'],
  ['2020-01-01T00:00', 'unexpected character, want colon (at "-01-01T00:00")'],
  ['1:2:3', 'address string too short'],
  ['12345::', 'each group must have 4 or less digits (at "12345::")'],
  ['1::2::3', 'multiple :: in address (at ":3")'],
  ['1:', 'colon must be followed by more characters (at ":")'],
  ['1:2:3:4:5:6:7:8:9', 'trailing garbage after address (at "9")'],
])('the address %s is refused in the words of Go', (text, problem) => {
  expect(addressProblem(text)).toBe(`ParseAddr(${JSON.stringify(text)}): ${problem}`)
})

it.each([
  ['10.0.0.1', "no '/'"],
  ['x/8', 'ParseAddr("x"): unable to parse IP'],
  ['10.0.0.0/x', 'bad bits after slash: "x"'],
  ['10.0.0.0/08', 'bad bits after slash: "08"'],
  ['10.0.0.0/33', 'prefix length out of range'],
])('the network %s is refused in the words of Go', (text, problem) => {
  expect(prefixProblem(text)).toBe(`netip.ParsePrefix(${JSON.stringify(text)}): ${problem}`)
})
