import { platformSecrets } from '../names.ts'
import type { PlatformSettings } from '../settings.ts'

/** A Secret that the platform reads from files. */
export interface SecretVolume {
  readonly name: string
  readonly secretName: string
  readonly directory: string
  /** The required entries. */
  readonly entries: readonly string[]
}

export const adminEntry = 'admin-key.json'
export const licenseEntries = { license: 'license', issuer: 'issuer' }
export const encryptionEntry = 'keys'
export const etcdEntries = { ca: 'ca.crt', certificate: 'tls.crt', key: 'tls.key', endpoints: 'endpoints' }
const tlsEntries = ['tls.crt', 'tls.key']

const root = '/etc/tenant-platform'
export const secretDirectories = {
  admin: `${root}/admin`,
  authority: `${root}/authority`,
  license: `${root}/license`,
  certificate: `${root}/certificate`,
  encryption: `${root}/encryption`,
  etcd: `${root}/etcd`,
}

export function secretVolumes(settings: PlatformSettings): readonly SecretVolume[] {
  const { tlsSecret, licenseSecret, encryption } = settings
  const { admin, authority, license, certificate } = secretDirectories
  return [
    { name: 'admin', secretName: platformSecrets.admin, directory: admin, entries: [adminEntry] },
    {
      name: 'license',
      secretName: licenseSecret ?? platformSecrets.license,
      directory: license,
      entries: Object.values(licenseEntries),
    },
    tlsSecret === undefined
      ? { name: 'authority', secretName: platformSecrets.authority, directory: authority, entries: tlsEntries }
      : { name: 'certificate', secretName: tlsSecret, directory: certificate, entries: tlsEntries },
    ...(encryption ? [encryptionVolume] : []),
    ...etcdVolumes(settings),
  ]
}

const encryptionVolume: SecretVolume = {
  name: 'encryption',
  secretName: platformSecrets.encryption,
  directory: secretDirectories.encryption,
  entries: [encryptionEntry],
}

/** If the addresses are configured, the Secret need not contain them: those of cert-manager do not. */
function etcdVolumes({ etcdSecret, store }: PlatformSettings): readonly SecretVolume[] {
  if (etcdSecret === undefined) return []
  const { endpoints, ...certificates } = etcdEntries
  const entries = [...(store === undefined ? [endpoints] : []), ...Object.values(certificates)]
  return [{ name: 'etcd', secretName: etcdSecret, directory: secretDirectories.etcd, entries }]
}
