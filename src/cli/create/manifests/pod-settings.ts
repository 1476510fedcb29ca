import type { ControlPlaneConfig, VariableConfig } from '../../../api/tenant-config/types.ts'

/**
 * Where Pods of a tenant run, and with which credentials their image is pulled. Fields that are not configured are
 * omitted.
 */
export function placement({ imagePullSecrets, nodeSelector, affinity, tolerations }: ControlPlaneConfig) {
  return {
    ...(imagePullSecrets.length > 0 && { imagePullSecrets: imagePullSecrets.map((name) => ({ name })) }),
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(Object.keys(affinity).length > 0 && { affinity: withoutEmptyLists(affinity) }),
    ...(tolerations.length > 0 && { tolerations }),
  }
}

export function variable({ name, value, secret }: VariableConfig) {
  if (secret === undefined) return { name, value: value ?? '' }
  return { name, valueFrom: { secretKeyRef: { name: secret.secretName, key: secret.key } } }
}

/** Kubernetes refuses values where an operator takes none, and namespaces without a name, even if the lists are empty. */
function withoutEmptyLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyLists)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => !(Array.isArray(member) && member.length === 0))
  return Object.fromEntries(members.map(([name, member]) => [name, withoutEmptyLists(member)]))
}
