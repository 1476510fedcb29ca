import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { NameRule } from './kind.ts'
import {
  generatedNamePrefix,
  validateLabelValue,
  validateName,
  validateNamePrefix,
  validateQualifiedName,
} from './names.ts'

const subdomainAdvice =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const labelAdvice =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const label1035Advice =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
const qualifiedAdvice =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const valueAdvice =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

describe('names of objects', () => {
  const cases: readonly (readonly [NameRule, string, readonly string[]])[] = [
    ['dns-subdomain', 'k1', []],
    ['dns-subdomain', 'a.b-c.9', []],
    ['dns-subdomain', 'a'.repeat(253), []],
    ['dns-subdomain', 'a'.repeat(254), ['must be no more than 253 characters']],
    ['dns-subdomain', 'Bad_Name', [subdomainAdvice]],
    ['dns-subdomain', 'a..b', [subdomainAdvice]],
    ['dns-subdomain', 'a-.b', [subdomainAdvice]],
    ['dns-subdomain', 'a\n', [subdomainAdvice]],
    ['dns-subdomain', 'A'.repeat(254), ['must be no more than 253 characters', subdomainAdvice]],
    ['dns-subdomain', 'ä'.repeat(127), ['must be no more than 253 characters', subdomainAdvice]],
    ['dns-label', 'default', []],
    ['dns-label', 'a.b', ['must not contain dots']],
    ['dns-label', '-a', [labelAdvice]],
    ['dns-label', 'a'.repeat(64), ['must be no more than 63 characters']],
    ['dns-1035-label', 'abc-1', []],
    ['dns-1035-label', '1abc', [label1035Advice]],
    ['path-segment', 'system:node/proxier', ["may not contain '/'"]],
    ['path-segment', 'a%2f/b', ["may not contain '/'", "may not contain '%'"]],
    ['path-segment', 'system:Any thing', []],
    ['path-segment', '.', ["may not be '.'"]],
    ['path-segment', '..', ["may not be '..'"]],
  ]
  it.each(cases)('%s: %j', (rule, name, problems) => {
    expect(validateName(rule, name)).toEqual(problems)
  })

  it('a prefix may end with a dash, a name may not', () => {
    expect(validateNamePrefix('dns-subdomain', 'gen-')).toEqual([])
    expect(validateName('dns-subdomain', 'gen-')).toEqual([subdomainAdvice])
    expect(validateNamePrefix('dns-subdomain', '-')).toEqual([subdomainAdvice])
    expect(validateNamePrefix('path-segment', '..')).toEqual([])
  })

  it('a prefix leaves room for five characters of a DNS label', () => {
    expect(generatedNamePrefix('a'.repeat(80))).toBe('a'.repeat(58))
    expect(generatedNamePrefix('gen-')).toBe('gen-')
  })

  it('agrees with a reading of the rules character by character', () => {
    const alphabet = fc.constantFrom('a', 'z', '0', '9', '-', '.', 'A', '_', 'é')
    const name = fc.string({ unit: alphabet, maxLength: 12 })
    fc.assert(
      fc.property(name, (text) => {
        expect(validateName('dns-subdomain', text).length === 0).toBe(text.split('.').every(isLabel))
        expect(validateName('dns-label', text).length === 0).toBe(isLabel(text))
        expect(validateName('dns-1035-label', text).length === 0).toBe(isLabel(text) && /^[a-z]/.test(text))
      }),
    )
  })

  it('takes linear time for names of megabytes', () => {
    const name = `${'a-'.repeat(1_500_000)}!`
    expect(validateName('dns-subdomain', name)).toHaveLength(2)
    expect(validateQualifiedName(name)).toHaveLength(2)
  })
})

describe('qualified names', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['app', []],
    ['App.kubernetes_io-x', []],
    ['example.com/MyName', []],
    ['constructor', []],
    ['a b', [`name part ${qualifiedAdvice}`]],
    ['', ['name part must be non-empty', `name part ${qualifiedAdvice}`]],
    ['/x', ['prefix part must be non-empty']],
    ['example.com/', ['name part must be non-empty', `name part ${qualifiedAdvice}`]],
    ['Example.com/x', [`prefix part ${subdomainAdvice}`]],
    [
      'a/b/c',
      [`a qualified name ${qualifiedAdvice} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
    ],
    ['x'.repeat(64), ['name part must be no more than 63 characters']],
    ['__proto__', [`name part ${qualifiedAdvice}`]],
  ]
  it.each(cases)('%j', (name, problems) => {
    expect(validateQualifiedName(name)).toEqual(problems)
  })
})

describe('label values', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['', []],
    ['My_value.1', []],
    ['c d', [valueAdvice]],
    ['-x', [valueAdvice]],
    ['v'.repeat(64), ['must be no more than 63 characters']],
  ]
  it.each(cases)('%j', (value, problems) => {
    expect(validateLabelValue(value)).toEqual(problems)
  })
})

function isLabel(text: string): boolean {
  const allowed = [...text].every((character) => 'abcdefghijklmnopqrstuvwxyz0123456789-'.includes(character))
  return text !== '' && allowed && !text.startsWith('-') && !text.endsWith('-')
}
