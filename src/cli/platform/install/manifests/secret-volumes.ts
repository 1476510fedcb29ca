import { platformSecrets } from '../names.ts'
import type { PlatformSettings } from '../settings.ts'

/** A Secret that the platform reads from files. */
export interface SecretVolume {
  readonly name: string
  readonly secretName: string
  readonly directory: string
  /** What has to be in it. */
  readonly entries: readonly string[]
}

export const adminEntry = 'admin-key.json'
export const licenseEntries = { license: 'license', issuer: 'issuer' }
const tlsEntries = ['tls.crt', 'tls.key']

const root = '/etc/tenant-platform'
export const secretDirectories = {
  admin: `${root}/admin`,
  authority: `${root}/authority`,
  license: `${root}/license`,
  certificate: `${root}/certificate`,
}

export function secretVolumes({ tlsSecret, licenseSecret }: PlatformSettings): readonly SecretVolume[] {
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
  ]
}
