import { deepEqual } from '../../base/equal.ts'
import { JsonSyntaxError } from '../../base/json/error.ts'
import { parseJson } from '../../base/json/parse.ts'
import { type FieldError, invalidField, requiredField, tooLongField } from '../field-error.ts'
import type { Secret } from '../types/core-v1.ts'
import { decodedLength, decodeText, encodeText } from './base64.ts'
import { builtinKind } from './builtin-kind.ts'
import { ageColumn, column, nameColumn } from './columns.ts'
import { frozenField, maxDataBytes } from './config-map.ts'
import { checkEach, dataKeyProblems } from './field-checks.ts'

export const serviceAccountNameAnnotation = 'kubernetes.io/service-account.name'

export const secret = builtinKind<Secret>({
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
  message: 'k8s.io.api.core.v1.Secret',
  selectableFields: { type: (object) => object.type ?? '' },
  columns: [
    nameColumn,
    column('Type', 'Type of the secret.', ({ type = '' }) => type),
    column('Data', 'Number of entries.', ({ data = {} }) => Object.keys(data).length),
    ageColumn,
  ],
  strategy: {
    defaults: (object) => ({ ...withStringData(object), type: object.type ?? 'Opaque' }),
    validate: validateSecret,
    validateUpdate: validateSecretUpdate,
    warnings: secretWarnings,
  },
})

/** Plain text is stored only in base64. */
function withStringData({ stringData, ...object }: Secret): Secret {
  if (stringData === undefined) return object
  const encoded = Object.entries(stringData).map(([key, value]) => [key, encodeText(value)] as const)
  return { ...object, data: { ...object.data, ...Object.fromEntries(encoded) } }
}

function validateSecret(object: Secret): readonly FieldError[] {
  const errors: FieldError[] = []
  let bytes = 0
  for (const [key, value] of Object.entries(object.data ?? {})) {
    const problems = dataKeyProblems(key)
    if (problems.length > 0) errors.push(...checkEach(`data[${key}]`, key, problems))
    bytes += decodedLength(value)
  }
  if (bytes > maxDataBytes) errors.push(tooLongField('data', maxDataBytes))
  return [...errors, ...validateType(object)]
}

/** Each well-known type promises its readers certain entries. */
function validateType(object: Secret): readonly FieldError[] {
  const has = (key: string) => object.data !== undefined && Object.hasOwn(object.data, key)
  const missing = (...keys: readonly string[]) =>
    keys.filter((key) => !has(key)).map((key) => requiredField(`data[${key}]`))
  switch (object.type) {
    case 'kubernetes.io/service-account-token':
      return object.metadata.annotations?.[serviceAccountNameAnnotation]
        ? []
        : [requiredField(`metadata.annotations[${serviceAccountNameAnnotation}]`)]
    case 'kubernetes.io/dockercfg':
      return validateJson(object, '.dockercfg')
    case 'kubernetes.io/dockerconfigjson':
      return validateJson(object, '.dockerconfigjson')
    case 'kubernetes.io/basic-auth':
      return has('username') || has('password') ? [] : missing('username', 'password')
    case 'kubernetes.io/ssh-auth':
      return object.data?.['ssh-privatekey'] ? [] : [requiredField('data[ssh-privatekey]')]
    case 'kubernetes.io/tls':
      return missing('tls.crt', 'tls.key')
    default:
      return []
  }
}

function validateJson({ data = {} }: Secret, key: string): readonly FieldError[] {
  const value = Object.hasOwn(data, key) ? data[key] : undefined
  if (value === undefined) return [requiredField(`data[${key}]`)]
  const problem = jsonObjectProblem(decodeText(value))
  return problem === undefined ? [] : [invalidField(`data[${key}]`, '<secret contents redacted>', problem)]
}

function jsonObjectProblem(text: string): string | undefined {
  if (text.trim() === '') return 'unexpected end of JSON input'
  try {
    const { value } = parseJson(text)
    if (typeof value === 'object' && !Array.isArray(value)) return undefined
    const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value
    return `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`
  } catch (error) {
    return error instanceof JsonSyntaxError ? error.message : 'not JSON'
  }
}

/** An unusable certificate is stored, since the type promises entries but not their content. */
function secretWarnings({ type, data = {} }: Secret): readonly string[] {
  if (type !== 'kubernetes.io/tls') return []
  const isPem = (key: string) => decodeText(data[key] ?? '').includes('-----BEGIN ')
  if (!isPem('tls.crt')) return ['tls: failed to find any PEM data in certificate input']
  return isPem('tls.key') ? [] : ['tls: failed to find any PEM data in key input']
}

function validateSecretUpdate(after: Secret, before: Secret): readonly FieldError[] {
  const type = after.type === before.type ? [] : [invalidField('type', after.type, 'field is immutable')]
  if (before.immutable !== true) return type
  return [
    ...type,
    ...(after.immutable === true ? [] : [frozenField('immutable')]),
    ...(deepEqual(after.data, before.data) ? [] : [frozenField('data')]),
  ]
}
