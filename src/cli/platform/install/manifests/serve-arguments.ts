import { serviceNames } from '../names.ts'
import type { PlatformSettings } from '../settings.ts'
import { platformPort } from './ports.ts'
import { adminEntry, licenseEntries, secretDirectories } from './secret-volumes.ts'

export const dataDirectory = '/var/lib/tenant'
export const temporaryDirectory = '/tmp'

/** How `tenant platform serve` is called in a Pod. */
export function serveArguments(settings: PlatformSettings): readonly string[] {
  const { store = `file:${dataDirectory}/store`, domain, serveOptions } = settings
  const { admin, license } = secretDirectories
  return [
    `--store=${store}`,
    `--data-dir=${dataDirectory}`,
    `--domain=${domain}`,
    '--host=0.0.0.0',
    `--port=${platformPort}`,
    `--admin-key-record=${admin}/${adminEntry}`,
    `--license=${license}/${licenseEntries.license}`,
    `--license-issuer=${license}/${licenseEntries.issuer}`,
    ...tlsArguments(settings),
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
