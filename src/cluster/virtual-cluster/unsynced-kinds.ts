import type { Kind } from '../../api/kind.ts'
import type { ToHostConfig } from '../../api/tenant-config/types.ts'
import type { AdmissionPlugin } from '../../registry/admission/contract.ts'

interface UnsyncedKind {
  readonly setting: 'ingresses' | 'networkPolicies'
  readonly consequence: string
}

const kinds: Readonly<Record<string, UnsyncedKind>> = {
  Ingress: { setting: 'ingresses', consequence: 'only an ingress controller inside the virtual cluster acts on it' },
  NetworkPolicy: { setting: 'networkPolicies', consequence: 'it isolates no Pods' },
}

function unsyncedKind({ group, kind }: Kind): UnsyncedKind | undefined {
  return group === 'networking.k8s.io' ? kinds[kind] : undefined
}

/**
 * Warns the writer of an object that only a host puts into effect, if its kind is not synced: nothing else shows that a
 * NetworkPolicy isolates nothing.
 */
export function unsyncedKinds(toHost: () => ToHostConfig): AdmissionPlugin {
  return {
    name: 'UnsyncedKinds',
    handles: (kind) => unsyncedKind(kind) !== undefined,
    inspect: (_, { kind, request }) => {
      const unsynced = unsyncedKind(kind)
      if (unsynced === undefined || toHost()[unsynced.setting].enabled) return
      const { setting, consequence } = unsynced
      request.warn(
        `this ${kind.kind} is not synced to the host, so ${consequence}: the operator can set sync.toHost.${setting}.enabled in tenant.yaml`,
      )
    },
  }
}
