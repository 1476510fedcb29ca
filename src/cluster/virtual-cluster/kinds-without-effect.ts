import type { Kind } from '../../api/kind.ts'
import type { ToHostConfig } from '../../api/tenant-config/types.ts'
import type { AdmissionPlugin } from '../../registry/admission/contract.ts'

/** What to tell the writer of an object. Undefined: it has an effect. */
type Warning = (toHost: ToHostConfig) => string | undefined

const kinds: Readonly<Record<string, Warning>> = {
  'Ingress.networking.k8s.io': ({ ingresses }) =>
    ingresses.enabled
      ? undefined
      : 'this Ingress is not synced to the host, so only an ingress controller inside the virtual cluster acts on it: the operator can set sync.toHost.ingresses.enabled in tenant.yaml',
  'NetworkPolicy.networking.k8s.io': ({ networkPolicies }) =>
    networkPolicies.enabled
      ? undefined
      : 'this NetworkPolicy is not synced to the host, so it isolates no Pods: the operator can set sync.toHost.networkPolicies.enabled in tenant.yaml',
  PersistentVolume: ({ persistentVolumeClaims }) =>
    persistentVolumeClaims.enabled
      ? 'no claim is bound to this PersistentVolume: claims of this virtual cluster are synced, and get volumes of the host'
      : undefined,
}

function warningFor({ group, kind }: Kind): Warning | undefined {
  return kinds[group === '' ? kind : `${kind}.${group}`]
}

/**
 * Warns the writer of an object that the host would have to put into effect, and does not: nothing else shows that a
 * NetworkPolicy isolates nothing.
 */
export function kindsWithoutEffect(toHost: () => ToHostConfig): AdmissionPlugin {
  return {
    name: 'KindsWithoutEffect',
    handles: (kind) => warningFor(kind) !== undefined,
    inspect: (_, { kind, request }) => {
      const warning = warningFor(kind)?.(toHost())
      if (warning !== undefined) request.warn(warning)
    },
  }
}
