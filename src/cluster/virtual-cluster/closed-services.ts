import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import type { Service } from '../../api/types/core-v1.ts'
import { type AdmissionPlugin, isCore } from '../../registry/admission/contract.ts'

interface Openness {
  readonly policy: 'loadBalancers' | 'nodePorts'
  readonly consequence: string
}

const types: Readonly<Record<string, Openness>> = {
  LoadBalancer: { policy: 'loadBalancers', consequence: 'gets no load balancer' },
  NodePort: { policy: 'nodePorts', consequence: 'opens no port on nodes' },
}

/** Warns the writer of a Service that only the host can open to the outside, if it does not: an Event alone is easy to miss. */
export function closedServices(config: () => Pick<EffectiveConfig, 'sync' | 'policies'>): AdmissionPlugin {
  return {
    name: 'ClosedServices',
    handles: (kind) => isCore(kind, 'Service'),
    inspect: (object, { request }) => {
      const openness = types[(object as Service).spec.type ?? '']
      if (openness === undefined) return
      const setting = missingSetting(config(), openness)
      if (setting === undefined) return
      request.warn(`this Service ${openness.consequence}: the operator can set ${setting} in tenant.yaml`)
    },
  }
}

function missingSetting({ sync, policies }: Pick<EffectiveConfig, 'sync' | 'policies'>, { policy }: Openness) {
  if (!sync.toHost.services.enabled) return 'sync.toHost.services.enabled'
  return policies.sync[policy].enabled ? undefined : `policies.sync.${policy}.enabled`
}
