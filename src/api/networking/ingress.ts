import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, firstFew, nameColumn, orNone } from '../core/columns.ts'
import type { Ingress } from '../types/networking-v1.ts'
import { checkClasses, classAnnotation, validateIngress, validateIngressStatus } from './ingress-validation.ts'

export const ingress = builtinKind<Ingress>({
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  plural: 'ingresses',
  shortNames: ['ing'],
  namespaced: true,
  hasStatus: true,
  hasGeneration: true,
  message: 'k8s.io.api.networking.v1.Ingress',
  columns: [
    nameColumn,
    column('Class', 'Class of the ingress.', ({ metadata, spec }) =>
      orNone(spec.ingressClassName ?? metadata.annotations?.[classAnnotation]),
    ),
    column('Hosts', 'Host names of the ingress.', hostsText),
    column('Address', 'Addresses at which the ingress is reached.', addressText),
    column('Ports', 'Ports at which the ingress is reached.', ({ spec }) =>
      spec.tls === undefined ? '80' : '80, 443',
    ),
    ageColumn,
  ],
  strategy: {
    validate: validateIngress,
    validateSchema: checkClasses,
    validateStatusUpdate: validateIngressStatus,
    warnings: ({ metadata, spec }, old) =>
      old === undefined && metadata.annotations?.[classAnnotation] !== undefined && spec.ingressClassName === undefined
        ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`]
        : [],
  },
})

function hostsText({ spec }: Ingress): string {
  const hosts = (spec.rules ?? []).map(({ host }) => host ?? '').filter((host) => host !== '')
  return hosts.length === 0 ? '*' : firstFew(hosts)
}

function addressText({ status }: Ingress): string {
  return (status.loadBalancer.ingress ?? []).map(({ ip, hostname }) => ip ?? hostname ?? '').join(',')
}
