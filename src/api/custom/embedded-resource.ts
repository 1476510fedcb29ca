import { isJsonObject } from '../../base/json/member.ts'
import { extendedPath } from '../../base/json/path.ts'
import { type FieldError, invalidField, requiredField } from '../field-error.ts'
import { validateMetadata } from '../metadata/validate.ts'
import { validateLabel1035 } from '../names.ts'
import type { ObjectMeta } from '../object.ts'

/** What is wrong with the type and the metadata of an embedded object. The metadata has already been decoded. */
export function embeddedErrors(value: Readonly<Record<string, unknown>>, path: string): readonly FieldError[] {
  const at = (name: string) => extendedPath(path, path === '' ? name : `.${name}`)
  return [
    ...['apiVersion', 'kind'].flatMap((name) =>
      Object.hasOwn(value, name) ? [] : [requiredField(at(name), 'must not be empty')],
    ),
    ...textErrors(value.apiVersion, at('apiVersion'), apiVersionProblem),
    ...textErrors(value.kind, at('kind'), kindProblem),
    ...metadataErrors(value.metadata, at('metadata')),
  ]
}

function textErrors(
  value: unknown,
  field: string,
  problemOf: (text: string) => string | undefined,
): readonly FieldError[] {
  if (value === undefined) return []
  if (typeof value !== 'string') return [invalidField(field, value, 'must be a string')]
  const problem = value === '' ? 'must not be empty' : problemOf(value)
  return problem === undefined ? [] : [invalidField(field, value, problem)]
}

function apiVersionProblem(text: string): string | undefined {
  return text.split('/').length > 2 ? `unexpected GroupVersion string: ${text}` : undefined
}

function kindProblem(text: string): string | undefined {
  const problems = validateLabel1035(text.toLowerCase())
  return problems.length === 0 ? undefined : `may have mixed case, but should otherwise match: ${problems.join(',')}`
}

/** The name is optional. */
function metadataErrors(value: unknown, field: string): readonly FieldError[] {
  if (!isJsonObject(value)) return []
  const metadata: ObjectMeta = value
  const { name = '', namespace = '' } = metadata
  const rules = { namespaced: namespace !== '', nameRule: 'path-segment', flavor: 'custom', kind: '' } as const
  return validateMetadata(rules, { ...metadata, name: name === '' ? 'fakename' : name }).map((error) => ({
    ...error,
    field: error.field.replace(/^metadata/, () => field),
  }))
}
