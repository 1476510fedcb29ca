/** Resources that are counted in whole numbers. */
export const countedResources: ReadonlySet<string> = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
])

/** Names without a domain that quotas know. */
const quotaResources: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  ...countedResources,
])

const containerResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage'])

export function isQuotaResource(name: string): boolean {
  return quotaResources.has(name) || isHugePage(name) || name.startsWith('requests.hugepages-')
}

/** Names without a domain that have a meaning in Kubernetes. */
export function isStandardResource(name: string): boolean {
  return name === 'storage' || isQuotaResource(name)
}

export function isContainerResource(name: string): boolean {
  return containerResources.has(name) || isHugePage(name)
}

export function isHugePage(name: string): boolean {
  return name.startsWith('hugepages-')
}

/** In the domain of Kubernetes, which is also that of names without one. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/')
}
