import { serviceNames } from '../names.ts'
import type { PlatformSettings } from '../settings.ts'
import { dataDirectory } from './directories.ts'
import { platformPort } from './ports.ts'
import { adminEntry, encryptionEntry, licenseEntries, secretDirectories } from './secret-volumes.ts'
import { storeInPod } from './store.ts'

/** The arguments of `tenant platform serve` in a Pod. */
export function serveArguments(settings: PlatformSettings): readonly string[] {
  const { domain, serveOptions } = settings
  const { admin, license, encryption } = secretDirectories
  return [
    `--store=${storeInPod(settings)}`,
    `--data-dir=${dataDirectory}`,
    `--domain=${domain}`,
    '--host=0.0.0.0',
    `--port=${platformPort}`,
    `--admin-key-record=${admin}/${adminEntry}`,
    `--license=${license}/${licenseEntries.license}`,
    `--license-issuer=${license}/${licenseEntries.issuer}`,
    ...tlsArguments(settings),
    ...(settings.encryption ? [`--encryption-keys=${encryption}/${encryptionEntry}`] : []),
    ...serveOptions,
  ]
}

function tlsArguments({ namespace, tlsSecret, address }: PlatformSettings): readonly string[] {
  const { authority, certificate } = secretDirectories
  if (tlsSecret !== undefined) return [`--tls-cert=${certificate}/tls.crt`, `--tls-key=${certificate}/tls.key`]
  const names = [...serviceNames(namespace), ...(address === undefined ? [] : [address])]
  return [
    `--tls-ca=${authority}/tls.crt`,
    `--tls-ca-key=${authority}/tls.key`,
    ...names.map((name) => `--tls-name=${name}`),
  ]
}
