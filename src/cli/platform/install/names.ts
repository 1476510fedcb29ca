/** Of everything that belongs to a platform, which has a namespace of its own. */
export const platformName = 'tenant-platform'

export const defaultPlatformNamespace = 'tenant-platform'

/** Secrets that are made once and outlive the rest. */
export const platformSecrets = {
  admin: 'tenant-platform-admin',
  authority: 'tenant-platform-authority',
  license: 'tenant-platform-license',
  encryption: 'tenant-platform-encryption',
}

/** What was applied. */
export const platformRecordName = 'tenant-platform-applied'

/** With an access key of the role metrics-reader, which the operator makes. */
export const metricsKeySecret = { name: 'tenant-platform-metrics', entry: 'accessKey' }

/** Names by which other Pods of the cluster reach it. */
export function serviceNames(namespace: string): readonly string[] {
  const name = `${platformName}.${namespace}`
  return [name, `${name}.svc`, `${name}.svc.cluster.local`]
}
