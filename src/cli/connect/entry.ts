import type { KnownPlatform } from '../credentials/contract.ts'

/** A kubeconfig context with its own cluster and user. */
export interface KubeconfigEntry {
  readonly name: string
  readonly cluster: Readonly<Record<string, string>>
  readonly user: Readonly<Record<string, unknown>>
}

/** The entry for a virtual cluster behind the platform. */
export function platformEntry(
  { name: platform, url, trust }: KnownPlatform,
  { project, name }: { readonly project: string; readonly name: string },
  user: KubeconfigEntry['user'],
): KubeconfigEntry {
  if (trust.mode === 'fingerprint') {
    throw new Error(
      `kubectl cannot trust ${url} by a fingerprint; log in again with --ca FILE, the authority of the platform`,
    )
  }
  const authority =
    trust.mode === 'authority' ? { 'certificate-authority-data': Buffer.from(trust.authority).toString('base64') } : {}
  const server = `${url}/kubernetes/project/${encodeURIComponent(project)}/virtualcluster/${encodeURIComponent(name)}`
  return {
    name: `tenant_${name}_${project}_${platform}`,
    cluster: { server, ...authority },
    user,
  }
}
