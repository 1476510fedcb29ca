import { managedKeyLabel } from '../../api/managed-secret.ts'
import type { KubeObject } from '../../api/object.ts'
import { defaultKeySecret } from '../../api/tenant-config/fields.ts'
import type { AccessKey, SecretPlace, VirtualClusterInstance } from '../../api/types/management.ts'
import { projectNamespace } from '../../auth/scope/request.ts'
import { valueIn } from './managed-secrets.ts'

/** A Secret in a cluster that carries the label of a key. */
export interface LabeledSecret {
  readonly cluster: string
  readonly secret: KubeObject
}

/** A key made by `tenant create` or `tenant up`, with the record of its virtual cluster. */
export interface TenantKey {
  readonly key: AccessKey
  readonly holds: (value: string) => boolean
  readonly instance: KubeObject | undefined
}

/** The longest time between the creation of a key and of its Secret, including the difference between two clocks. */
const longestDelayMs = 5 * 60_000

/** The only virtual cluster that a key was made for; undefined for keys that users made. */
export function madeFor({ spec = {} }: AccessKey): { readonly namespace: string; readonly name: string } | undefined {
  const { roles = [], ...others } = spec.scope ?? {}
  const [role, ...more] = roles
  if (role?.role !== 'tenant' || more.length > 0 || Object.values(others).some(isSet)) return undefined
  const [project, ...moreProjects] = role.projects ?? []
  const [name, ...moreNames] = role.virtualClusters ?? []
  if (project === undefined || name === undefined || moreProjects.length + moreNames.length > 0) return undefined
  return project === '*' || name === '*' ? undefined : { namespace: projectNamespace(project), name }
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value === true
}

/**
 * The Secret that was created together with a key. Other writers can forge the label, and copy a stolen value, but they
 * cannot forge the creation time of the Secret, nor the place that was reported to the platform for the virtual
 * cluster. If two Secrets match, neither is used.
 */
export function ownSecret(tenant: TenantKey, labeled: readonly LabeledSecret[]): SecretPlace | undefined {
  const [own, ...others] = labeled.filter((each) => isOwn(tenant, each))
  if (own === undefined || others.length > 0) return undefined
  const { namespace = '', name = '' } = own.secret.metadata
  return { cluster: own.cluster, namespace, name }
}

function isOwn({ key, holds, instance }: TenantKey, { cluster, secret }: LabeledSecret): boolean {
  const { name, namespace, labels, creationTimestamp } = secret.metadata
  if (name !== defaultKeySecret || labels?.[managedKeyLabel] !== key.metadata.name) return false
  const apartMs = Math.abs(Date.parse(creationTimestamp ?? '') - Date.parse(key.metadata.creationTimestamp ?? ''))
  if (!(apartMs <= longestDelayMs) || !holds(valueIn(secret, {}))) return false
  const place = placeOf(instance)
  return place.namespace === namespace && (place.cluster === undefined || place.cluster === cluster)
}

function placeOf(instance: KubeObject | undefined): { readonly cluster?: string; readonly namespace?: string } {
  const { cluster, ...place } = (instance as VirtualClusterInstance | undefined)?.spec?.clusterRef ?? {}
  return cluster === undefined || cluster === '' ? place : { ...place, cluster }
}
