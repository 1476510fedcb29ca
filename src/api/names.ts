import type { NameRule } from './kind.ts'
import { utf8Length } from './utf8-length.ts'

/**
 * Which names are allowed. Every function returns what is wrong, in the words that clients of Kubernetes know; an empty
 * list means that the name is valid. Lengths are in bytes.
 */

const labelPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const subdomainPattern = `${labelPattern}(\\.${labelPattern})*`
const label1035Pattern = '[a-z]([-a-z0-9]*[a-z0-9])?'
const qualifiedPattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const labelValuePattern = `(${qualifiedPattern})?`

const label = new RegExp(`^${labelPattern}$`)
const subdomain = new RegExp(`^${subdomainPattern}$`)
const label1035 = new RegExp(`^${label1035Pattern}$`)
const qualified = new RegExp(`^${qualifiedPattern}$`)

const labelMaxLength = 63
const subdomainMaxLength = 253

const subdomainAdvice = advice(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomainPattern,
  ['example.com'],
)
const labelAdvice = advice(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  labelPattern,
  ['my-name', '123-abc'],
)
const label1035Advice = advice(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  label1035Pattern,
  ['my-name', 'abc-123'],
)
const qualifiedAdvice = advice(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  qualifiedPattern,
  ['MyName', 'my.name', '123-abc'],
)
const labelValueAdvice = advice(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelValuePattern,
  ['MyValue', 'my_value', '12345'],
)

/** Characters of generated suffixes: no vowels and no ambiguous characters. */
export const generatedSuffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789'

const generatedPrefixMaxLength = 58

const fine: readonly string[] = []

export function validateName(rule: NameRule, name: string): readonly string[] {
  switch (rule) {
    case 'dns-subdomain':
      return validateSubdomain(name)
    case 'dns-label':
      return validateLabel(name)
    case 'dns-1035-label':
      return validateLabel1035(name)
    case 'path-segment':
      return validatePathSegment(name)
  }
}

/** A prefix to which a suffix will be added, so it may end with a dash. */
export function validateNamePrefix(rule: NameRule, prefix: string): readonly string[] {
  if (rule === 'path-segment') return forbiddenInPath(prefix)
  return validateName(rule, prefix.length > 1 && prefix.endsWith('-') ? `${prefix.slice(0, -2)}a` : prefix)
}

/** `generateName`, truncated so that a suffix of five characters still fits into a DNS label. */
export function generatedNamePrefix(prefix: string): string {
  return prefix.slice(0, generatedPrefixMaxLength)
}

export function validateSubdomain(name: string): readonly string[] {
  const fits = isWithin(name, subdomainMaxLength)
  const matches = subdomain.test(name)
  if (fits && matches) return fine
  return problems(!fits && tooLong(subdomainMaxLength), !matches && subdomainAdvice)
}

export function validateLabel(name: string): readonly string[] {
  const fits = isWithin(name, labelMaxLength)
  const matches = label.test(name)
  if (fits && matches) return fine
  const complaint = subdomain.test(name) ? 'must not contain dots' : labelAdvice
  return problems(!fits && tooLong(labelMaxLength), !matches && complaint)
}

export function validateLabel1035(name: string): readonly string[] {
  const fits = isWithin(name, labelMaxLength)
  const matches = label1035.test(name)
  if (fits && matches) return fine
  return problems(!fits && tooLong(labelMaxLength), !matches && label1035Advice)
}

/** Any name that can be a path segment of a URL. */
export function validatePathSegment(name: string): readonly string[] {
  return name === '.' || name === '..' ? [`may not be '${name}'`] : forbiddenInPath(name)
}

/** A name with an optional domain before a slash: keys of labels and annotations, finalizers. */
export function validateQualifiedName(name: string): readonly string[] {
  const slash = name.indexOf('/')
  if (slash < 0) return validateNamePart(name)
  if (name.includes('/', slash + 1)) {
    return [
      `a qualified name ${qualifiedAdvice} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  return joined(validatePrefixPart(name.slice(0, slash)), validateNamePart(name.slice(slash + 1)))
}

export function validateLabelValue(value: string): readonly string[] {
  if (value === '') return fine
  const fits = isWithin(value, labelMaxLength)
  const matches = qualified.test(value)
  if (fits && matches) return fine
  return problems(!fits && tooLong(labelMaxLength), !matches && labelValueAdvice)
}

function validatePrefixPart(prefix: string): readonly string[] {
  if (prefix === '') return ['prefix part must be non-empty']
  const complaints = validateSubdomain(prefix)
  return complaints.length === 0 ? fine : complaints.map((each) => `prefix part ${each}`)
}

function validateNamePart(name: string): readonly string[] {
  const fits = isWithin(name, labelMaxLength)
  const matches = qualified.test(name)
  if (fits && matches) return fine
  return problems(
    name === '' && 'name part must be non-empty',
    !fits && `name part ${tooLong(labelMaxLength)}`,
    !matches && `name part ${qualifiedAdvice}`,
  )
}

function forbiddenInPath(name: string): readonly string[] {
  if (!name.includes('/') && !name.includes('%')) return fine
  return problems(name.includes('/') && "may not contain '/'", name.includes('%') && "may not contain '%'")
}

function isWithin(text: string, maxBytes: number): boolean {
  return text.length <= maxBytes && (text.length * 3 <= maxBytes || utf8Length(text) <= maxBytes)
}

function tooLong(maxBytes: number): string {
  return `must be no more than ${maxBytes} characters`
}

function advice(rule: string, pattern: string, examples: readonly string[]): string {
  const shown = examples.map((each) => `'${each}', `).join(' or ')
  return `${rule} (e.g. ${shown}regex used for validation is '${pattern}')`
}

function problems(...complaints: readonly (string | false)[]): readonly string[] {
  return complaints.filter((each) => each !== false)
}

function joined(first: readonly string[], second: readonly string[]): readonly string[] {
  return first.length === 0 ? second : [...first, ...second]
}
