type Labels = Readonly<Record<string, string>>

const kubeletLabels: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
])
const kubeletDomains = ['kubelet.kubernetes.io', 'node.kubernetes.io']

/** Changed labels that a kubelet may not set, sorted: labels of Kubernetes that do not belong to kubelets. */
export function forbiddenLabels(labels: Labels = {}, old: Labels = {}): readonly string[] {
  const keys = new Set([...Object.keys(labels), ...Object.keys(old)])
  return [...keys].filter((key) => ownValue(labels, key) !== ownValue(old, key) && isForbidden(key)).sort()
}

function ownValue(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined
}

function isForbidden(key: string): boolean {
  const slash = key.indexOf('/')
  const domain = slash < 0 ? '' : key.slice(0, slash)
  if (!isBelow(domain, 'kubernetes.io') && !isBelow(domain, 'k8s.io')) return false
  return !kubeletLabels.has(key) && !kubeletDomains.some((own) => isBelow(domain, own))
}

function isBelow(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`)
}
