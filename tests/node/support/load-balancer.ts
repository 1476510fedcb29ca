import { setTimeout as delay } from 'node:timers/promises'
import type { SharedNode } from '../../support/shared/contract.ts'
import { ClusterClient } from '../../sync/support/cluster-client.ts'
import { services } from '../../sync/support/objects.ts'

const pauseMs = 100

/** Plays a cloud for a Service of type LoadBalancer: assigns an address, which kube-proxy routes to its Pods. */
export interface LoadBalancer {
  end(): Promise<void>
}

export function balanceLoad(node: SharedNode, namespace: string, name: string, ip: string): LoadBalancer {
  const host = new ClusterClient(node)
  let isWanted = true
  const balancing = (async () => {
    let known = ''
    while (isWanted) {
      const service = await host.find(services, namespace, name)
      const { uid = '' } = service?.metadata ?? {}
      if (service !== undefined && uid !== known) {
        await host.patch(services, namespace, name, { status: { loadBalancer: { ingress: [{ ip }] } } }, 'status')
      }
      known = uid
      await delay(pauseMs)
    }
  })()
  return {
    end: async () => {
      isWanted = false
      await balancing.finally(() => host.close())
    },
  }
}
