import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuantity, printQuantity, roundedToThousandths } from './quantity.ts'

describe('quantities have one canonical form', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['0', '0'],
    ['0Ki', '0'],
    ['-0', '0'],
    ['100m', '100m'],
    ['1500m', '1500m'],
    ['1.5', '1500m'],
    ['1000', '1k'],
    ['1024', '1024'],
    ['1024k', '1024k'],
    ['+5', '5'],
    ['-5', '-5'],
    ['.5', '500m'],
    ['5.', '5'],
    ['1Gi', '1Gi'],
    ['1.5Gi', '1536Mi'],
    ['0.5Gi', '512Mi'],
    ['1024Mi', '1Gi'],
    ['512Ki', '512Ki'],
    ['0.5Ki', '512'],
    ['1.0001Ki', '1024102400u'],
    ['-2048Ki', '-2Mi'],
    ['1e3', '1e3'],
    ['1E3', '1e3'],
    ['1.5e3', '1500'],
    ['12e6', '12e6'],
    ['5E', '5E'],
    ['1n', '1n'],
    ['0.1n', '1n'],
    ['1e-30', '1e-9'],
    ['1e-999999999', '1e-9'],
    ['1e999999999', '9223372036854775807'],
    ['9'.repeat(100), '9223372036854775807'],
    ['000123', '123'],
  ]
  it.each(cases)('%s is %s', (text, canonical) => {
    expect(printed(text)).toBe(canonical)
  })

  it('the canonical form is its own canonical form and the same amount', () => {
    const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'e-3')
    fc.assert(
      fc.property(fc.integer(), suffix, (number, unit) => {
        const first = parsed(`${number}${unit}`)
        const canonical = printQuantity(first)
        expect(parsed(canonical).nanos).toBe(first.nanos)
        expect(printed(canonical)).toBe(canonical)
      }),
    )
  })
})

describe('invalid quantities are refused', () => {
  const format = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
  const cases: readonly (readonly [string, string])[] = [
    ['', format],
    ['abc', format],
    ['1 Gi', format],
    ['--1', format],
    ['1Gb', format],
    ['1+5', "unable to parse quantity's suffix"],
    ['1ki', "unable to parse quantity's suffix"],
    ['1mm', "unable to parse quantity's suffix"],
    ['1.2.3', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['.', 'unable to parse numeric part of quantity'],
  ]
  it.each(cases)('%j', (text, problem) => {
    expect(parseQuantity(text)).toEqual({ problem })
  })
})

it('takes linear time for megabytes of digits', () => {
  const digits = '0'.repeat(1_000_000)
  expect(parseQuantity(`${digits}x`)).toHaveProperty('problem')
  expect(parseQuantity(`${digits}.0.0`)).toHaveProperty('problem')
  expect(parseQuantity(`1${digits}m`)).toMatchObject({ nanos: (2n ** 63n - 1n) * 10n ** 9n })
})

function parsed(text: string) {
  const quantity = parseQuantity(text)
  if ('problem' in quantity) throw new Error(quantity.problem)
  return quantity
}

function printed(text: string): string {
  return printQuantity(parsed(text))
}

it.each([
  ['1.0001m', '2m'],
  ['1', '1'],
  ['500u', '1m'],
  ['odd', 'odd'],
])('%s needs no smaller step than a thousandth as %s', (amount, rounded) => {
  expect(roundedToThousandths(amount)).toBe(rounded)
})
