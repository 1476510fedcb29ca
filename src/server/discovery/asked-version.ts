import { parseAccept } from '../request/negotiate.ts'
import type { AggregatedVersion } from './aggregated.ts'

const plainTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']

/** The first acceptable clause decides; a plain one before any aggregated one selects legacy discovery. */
export function askedVersion(accept: string): AggregatedVersion | undefined {
  for (const { type, parameters } of parseAccept(accept)) {
    const as = parameters.get('as')
    if (as === undefined) {
      if (plainTypes.includes(type)) return undefined
      continue
    }
    const version = parameters.get('v')
    const isOurs = as === 'APIGroupDiscoveryList' && parameters.get('g') === 'apidiscovery.k8s.io'
    if (isOurs && type === 'application/json' && (version === 'v2' || version === 'v2beta1')) return version
  }
  return undefined
}
