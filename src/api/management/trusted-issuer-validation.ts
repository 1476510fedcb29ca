import { isJsonObject } from '../../base/json/member.ts'
import { type FieldError, invalidField, requiredField, tooLongField, tooManyField } from '../field-error.ts'
import type { KubeObject } from '../object.ts'
import type { ExchangeRule, TrustedIssuer } from '../types/management.ts'
import { bundleErrors, isPlainHttps } from './connectors/connector-field-errors.ts'

const mostRules = 50
const mostClaims = 20
const longestPattern = 500
const longestKeys = 64 * 1024
const shortestExchangeSeconds = 60
const longestExchangeSeconds = 3600

/** Rules beyond the schema, against which the object has been validated. */
export function validateTrustedIssuer(object: KubeObject): readonly FieldError[] {
  const { issuer = '', audience = '', caBundle, keys = '', rules = [] } = (object as TrustedIssuer).spec ?? {}
  const problem = 'must be an https address without user, query or fragment'
  return [
    ...(issuer === '' ? [requiredField('spec.issuer')] : []),
    ...(issuer === '' || isPlainHttps(issuer) ? [] : [invalidField('spec.issuer', issuer, problem)]),
    ...(audience === '' ? [requiredField('spec.audience', 'tokens for others must not be taken')] : []),
    ...bundleErrors('spec.caBundle', caBundle),
    ...(keys === '' ? [] : keyErrors(keys)),
    ...(rules.length === 0 ? [requiredField('spec.rules', 'say which tokens lead to which user or team')] : []),
    ...(rules.length > mostRules
      ? [tooManyField('spec.rules', rules.length, mostRules)]
      : rules.flatMap((rule, index) => ruleErrors(rule, `spec.rules[${index}]`))),
  ]
}

function ruleErrors(rule: ExchangeRule, field: string): readonly FieldError[] {
  const { user = '', team = '', ttlSeconds: seconds = longestExchangeSeconds } = rule
  return [
    ...claimErrors(rule.claims ?? {}, `${field}.claims`),
    ...(user === '' && team === '' ? [requiredField(`${field}.user`, 'or team')] : []),
    ...(user !== '' && team !== '' ? [invalidField(`${field}.team`, team, 'a key acts for a user or for a team')] : []),
    ...(seconds >= shortestExchangeSeconds && seconds <= longestExchangeSeconds
      ? []
      : [
          invalidField(
            `${field}.ttlSeconds`,
            seconds,
            `must be between ${shortestExchangeSeconds} and ${longestExchangeSeconds}`,
          ),
        ]),
  ]
}

/** Claims that are the same in all tokens of an issuer for this platform, or do not identify their owner. */
const sameForAll: ReadonlySet<string> = new Set(['iss', 'aud', 'exp', 'nbf', 'iat', 'jti'])

/** An issuer signs tokens for many: a rule must say what distinguishes them. */
function claimErrors(claims: Readonly<Record<string, string>>, field: string): readonly FieldError[] {
  const entries = Object.entries(claims)
  if (entries.length > mostClaims) return [tooManyField(field, entries.length, mostClaims)]
  const isAll = entries.every(([name, pattern]) => sameForAll.has(name) || pattern.replaceAll('*', '') === '')
  if (isAll) return [requiredField(field, 'at least one claim must identify whose token it is')]
  return entries.flatMap(([name, pattern]) => [
    ...(name === '' || pattern === '' ? [requiredField(`${field}[${name}]`)] : []),
    ...(pattern.length > longestPattern ? [tooLongField(`${field}[${name}]`, longestPattern)] : []),
  ])
}

/** Only public keys: a secret here could sign, and everyone who can read the object would have it. */
function keyErrors(text: string): readonly FieldError[] {
  if (text.length > longestKeys) return [tooLongField('spec.keys', longestKeys)]
  const keys = keysIn(text)
  if (keys !== undefined && keys.length > 0 && keys.every(isPublicKey)) return []
  return [invalidField('spec.keys', '…', 'must be a JSON Web Key Set with public keys alone')]
}

function keysIn(text: string): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) && Array.isArray(value.keys) ? value.keys : undefined
  } catch {
    return undefined
  }
}

function isPublicKey(key: unknown): boolean {
  return isJsonObject(key) && typeof key.kty === 'string' && key.kty !== 'oct' && !('d' in key) && !('k' in key)
}
