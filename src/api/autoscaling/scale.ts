import { isJsonObject } from '../../base/json/member.ts'
import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, integerColumn } from '../core/columns.ts'
import { checkNotNegative } from '../core/field-checks.ts'
import { type ApiError, internalError } from '../error.ts'
import type { Kind } from '../kind.ts'
import type { JsonObject, KubeObject } from '../object.ts'
import type { Scale } from '../types/autoscaling-v1.ts'

/** The actual and desired number of pods, for any kind of object that counts them. Served only as a subresource. */
export const scaleKind = builtinKind<Scale>({
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  plural: 'scales',
  namespaced: true,
  message: 'k8s.io.api.autoscaling.v1.Scale',
  columns: [
    column('Name', 'Name of the object.', ({ metadata }) => metadata.name ?? ''),
    integerColumn('Desired', 'Desired number of pods.', ({ spec }) => spec.replicas ?? 0),
    integerColumn('Available', 'Current number of pods.', ({ status }) => status.replicas),
    ageColumn,
  ],
  strategy: { validate: ({ spec }) => checkNotNegative('spec.replicas', spec.replicas) },
})

const usualPaths = { spec: ['spec', 'replicas'], status: ['status', 'replicas'] }

/** Stands in a scale to be patched for a number that the object lacks. No schema of a count allows it. */
export const unsetReplicas = -(2 ** 31)

/** What `/scale` of an object shows. */
export function scaleOf(kind: Kind, object: KubeObject): Scale {
  const shown = scaleToPatch(kind, object)
  if (shown.spec.replicas === unsetReplicas) throw noReplicas(kind.scale?.paths?.spec ?? usualPaths.spec)
  return shown
}

/** The same with `unsetReplicas` if a custom object has no number: a patch may set it. */
export function scaleToPatch({ scale }: Kind, object: KubeObject): Scale {
  const paths = scale?.paths ?? usualPaths
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const replicas = numberAt(object, paths.spec) ?? (scale?.paths === undefined ? undefined : unsetReplicas)
  return {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: {
      ...(name !== undefined && { name }),
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(creationTimestamp !== undefined && { creationTimestamp }),
    },
    spec: replicas === undefined || replicas === 0 ? {} : { replicas },
    status: { replicas: numberAt(object, paths.status) ?? 0, ...selectorOf(scale?.selector(object) ?? '') },
  }
}

function selectorOf(selector: string): Pick<Scale['status'], 'selector'> {
  return selector === '' ? {} : { selector }
}

function numberAt(object: KubeObject, path: readonly string[]): number | undefined {
  let value: unknown = object
  for (const name of path) value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return typeof value === 'number' ? value : undefined
}

function noReplicas(path: readonly string[]): ApiError {
  return internalError(`the spec replicas field ".${path.join('.')}" does not exist`)
}

/** A partial object with only the number at its path. */
export function replicasAt({ scale }: Kind, replicas: number): JsonObject {
  const path = scale?.paths?.spec ?? usualPaths.spec
  return path.reduceRight<JsonObject>((inner, name, at) => ({ [name]: at === path.length - 1 ? replicas : inner }), {})
}
