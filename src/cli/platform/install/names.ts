/** The name of all objects of a platform, which has its own namespace. */
export const platformName = 'tenant-platform'

export const defaultPlatformNamespace = 'tenant-platform'

/** Secrets that are created once and outlive the rest. */
export const platformSecrets = {
  admin: 'tenant-platform-admin',
  authority: 'tenant-platform-authority',
  license: 'tenant-platform-license',
  encryption: 'tenant-platform-encryption',
}

/** The record of what was applied. */
export const platformRecordName = 'tenant-platform-applied'

/** Holds an access key with the role metrics-reader, which the operator creates. */
export const metricsKeySecret = { name: 'tenant-platform-metrics', entry: 'accessKey' }

/** Names by which other Pods of the cluster reach it. */
export function serviceNames(namespace: string): readonly string[] {
  const name = `${platformName}.${namespace}`
  return [name, `${name}.svc`, `${name}.svc.cluster.local`]
}
