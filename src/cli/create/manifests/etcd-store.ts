import type { TenantDeployment } from './contract.ts'

const directories = { certificates: '/etc/tenant-etcd', user: '/etc/tenant-etcd-user' }

/** How the process of a virtual cluster reaches the etcd that stores its objects. */
export interface EtcdAccess {
  /** In the form of `--store`. */
  readonly store: string
  readonly prefix: string
  readonly volumes: readonly object[]
  readonly mounts: readonly object[]
}

type Configured = Pick<TenantDeployment, 'name' | 'namespace' | 'config'>

/** `undefined`: its objects are in its volume. */
export function etcdAccessOf({ name, namespace, config }: Configured): EtcdAccess | undefined {
  const { etcd } = config.controlPlane.storage
  if (etcd === undefined) return undefined
  const { addresses, prefix = `/virtual-clusters/${namespace}/${name}`, certificates, user } = etcd
  const settings = [
    `prefix=${prefix}`,
    ...(certificates === undefined ? [] : certificateSettings),
    ...(user === undefined ? [] : [`userfile=${directories.user}/${user.key}`]),
  ]
  const secrets = [
    { name: 'etcd', secretName: certificates?.secretName, mountPath: directories.certificates },
    { name: 'etcd-user', secretName: user?.secretName, mountPath: directories.user },
  ].filter(({ secretName }) => secretName !== undefined)
  return {
    store: `etcd:${addresses}?${settings.join('&')}`,
    prefix,
    volumes: secrets.map((each) => ({ name: each.name, secret: { secretName: each.secretName } })),
    mounts: secrets.map((each) => ({ name: each.name, mountPath: each.mountPath, readOnly: true })),
  }
}

const certificateSettings = [
  `cafile=${directories.certificates}/ca.crt`,
  `certfile=${directories.certificates}/tls.crt`,
  `keyfile=${directories.certificates}/tls.key`,
]
