import type { Service } from '../../api/types/core-v1.ts'
import type { Evaluator } from './contract.ts'

const names: ReadonlySet<string> = new Set([
  'count/services',
  'services',
  'services.loadbalancers',
  'services.nodeports',
])

/** Services, node ports and load balancers. */
export const serviceEvaluator: Evaluator = {
  measures: (name) => names.has(name),
  usage: (object) => {
    const { spec } = object as Service
    return {
      'count/services': '1',
      services: '1',
      'services.loadbalancers': spec.type === 'LoadBalancer' ? '1' : '0',
      'services.nodeports': String(nodePorts(spec)),
    }
  },
  grows: true,
}

function nodePorts({ type, ports = [], allocateLoadBalancerNodePorts }: Service['spec']): number {
  if (type === 'NodePort') return ports.length
  if (type !== 'LoadBalancer') return 0
  if (allocateLoadBalancerNodePorts !== false) return ports.length
  return ports.filter(({ nodePort = 0 }) => nodePort !== 0).length
}
