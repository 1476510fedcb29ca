import { isWhole } from '../../base/json/large-integer.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { type FieldError, invalidField } from '../field-error.ts'
import { goValue } from '../human/go-print.ts'
import type { KubeObject } from '../object.ts'
import type { CustomResourceSubresourceScale } from '../types/apiextensions-v1.ts'

type Scale = CustomResourceSubresourceScale | undefined

const mostReplicas = 2 ** 31 - 1

/** The desired replicas of an object must be a valid number, whatever its schema says. */
export function scaleSpecErrors(object: KubeObject, scale: Scale): readonly FieldError[] {
  return scale === undefined ? [] : replicasErrors(object, scale.specReplicasPath)
}

export function scaleStatusErrors(object: KubeObject, scale: Scale): readonly FieldError[] {
  if (scale === undefined) return []
  const { statusReplicasPath, labelSelectorPath = '' } = scale
  return [
    ...replicasErrors(object, statusReplicasPath),
    ...(labelSelectorPath === '' ? [] : selectorErrors(object, labelSelectorPath)),
  ]
}

function replicasErrors(object: KubeObject, path: string): readonly FieldError[] {
  const found = valueAt(object, path)
  if ('problem' in found) return [invalidField(path, 0, found.problem)]
  const { value } = found
  if (value === undefined) return []
  if (!isWhole(value)) return [invalidField(path, 0, notA('int64', path, value))]
  if (value < 0) return [invalidField(path, value, 'should be a non-negative integer')]
  return value > mostReplicas ? [invalidField(path, value, `should be less than or equal to ${mostReplicas}`)] : []
}

function selectorErrors(object: KubeObject, path: string): readonly FieldError[] {
  const found = valueAt(object, path)
  if ('problem' in found) return [invalidField(path, '', found.problem)]
  const { value } = found
  return value === undefined || typeof value === 'string' ? [] : [invalidField(path, '', notA('string', path, value))]
}

type Found = { readonly value: unknown } | { readonly problem: string }

/** A path of names; undefined if it ends early, for example at null. */
function valueAt(object: KubeObject, path: string): Found {
  let value: unknown = object
  for (const name of path.replace(/^\./, '').split('.')) {
    if (value === null) return { value: undefined }
    if (!isJsonObject(value)) return { problem: notA('map[string]interface{}', path, value) }
    if (!Object.hasOwn(value, name)) return { value: undefined }
    value = value[name]
  }
  return { value }
}

function notA(wanted: string, path: string, value: unknown): string {
  return `${path} accessor error: ${shown(value)} is of the type ${typeName(value)}, expected ${wanted}`
}

function shown(value: unknown): string {
  if (value === null) return '<nil>'
  if (typeof value === 'object') return goValue(value).slice(0, 200)
  return String(value).slice(0, 200)
}

function typeName(value: unknown): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (isWhole(value)) return 'int64'
  return { number: 'float64', boolean: 'bool', string: 'string' }[String(typeof value)] ?? 'map[string]interface {}'
}
