import type { Service, ServicePort } from '../../types/core-v1.ts'
import type { TypedColumn } from '../builtin-kind.ts'
import { ageColumn, column, labelsText, nameColumn, orNone, wideColumn } from '../columns.ts'

export const serviceColumns: readonly TypedColumn<Service>[] = [
  nameColumn,
  column('Type', 'How the service is reached.', ({ spec }) => spec.type ?? ''),
  column('Cluster-IP', 'Address inside the cluster.', ({ spec }) => orNone(spec.clusterIPs?.[0])),
  column('External-IP', 'Addresses outside the cluster.', externalAddress),
  column('Port(s)', 'Ports, each with its node port if it has one.', ({ spec }) =>
    orNone((spec.ports ?? []).map(portText).join(',')),
  ),
  ageColumn,
  wideColumn('Selector', 'Labels of the pods behind the service.', ({ spec }) => labelsText(spec.selector)),
]

function portText({ port, nodePort, protocol }: ServicePort): string {
  return nodePort === undefined ? `${port}/${protocol}` : `${port}:${nodePort}/${protocol}`
}

function externalAddress({ spec, status }: Service): string {
  const externalIPs = spec.externalIPs ?? []
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return orNone(externalIPs.join(','))
    case 'LoadBalancer': {
      const balancer = balancerText(status)
      const all = [...(balancer === '' ? [] : [balancer]), ...externalIPs].join(',')
      return all === '' ? '<pending>' : all
    }
    case 'ExternalName':
      return spec.externalName ?? ''
    default:
      return '<unknown>'
  }
}

function balancerText({ loadBalancer }: Service['status']): string {
  const points = (loadBalancer.ingress ?? [])
    .map(({ ip, hostname }) => ip ?? hostname ?? '')
    .filter((each) => each !== '')
  return [...new Set(points)].sort().join(',')
}
