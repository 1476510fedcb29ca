import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultProject } from '../../api/management/default-project.ts'
import { writeWhole } from '../../base/files/write-whole.ts'
import type { KubeconfigContext } from '../../cluster/kubeconfig.ts'
import type { RunningServer } from '../../cluster/start-server.ts'
import { descriptionFile } from '../local-platforms/places.ts'
import { upKubeconfig } from './up-kubeconfig.ts'

export interface UpFiles {
  readonly directory: string
  readonly domain: string
  readonly adminKeyFile: string
  readonly platform: RunningServer
  /** Absent if the host is a cluster of the user's kubeconfig. */
  readonly host: RunningServer | undefined
}

/** A virtual cluster that runs here. */
export interface UpTenant {
  readonly project: string
  readonly name: string
}

/** The interface for people and scripts: `kubeconfig` and `up.json`. Returns the path of the kubeconfig. */
export function writeUpFiles(files: UpFiles, tenants: readonly UpTenant[]): string {
  const { directory, domain, adminKeyFile, platform, host } = files
  const adminKey = readFileSync(adminKeyFile, 'utf8').trim()
  const kubeconfig = join(directory, 'kubeconfig')
  const contexts = [
    contextOf('platform', platform, adminKey),
    ...(host === undefined ? [] : [contextOf('host', host, adminKey)]),
    ...tenants.map((tenant) => tenantContext(tenant, platform, adminKey)),
  ]
  writeWhole(kubeconfig, upKubeconfig(contexts, textOf(kubeconfig)))
  const description = {
    pid: process.pid,
    platform: { url: platform.url, caFile: platform.certificateAuthorityFile, domain, adminKeyFile },
    kubeconfig,
    contexts: {
      platform: 'platform',
      ...(host !== undefined && { host: 'host' }),
      tenants: Object.fromEntries(tenants.map((tenant) => [shownName(tenant), contextName(tenant)])),
    },
    consoleUrl: `${platform.url}/`,
  }
  writeWhole(descriptionFile(directory), `${JSON.stringify(description, null, 2)}\n`)
  return kubeconfig
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

export function contextName({ project, name }: UpTenant): string {
  return project === defaultProject ? `tenant_${name}` : `tenant_${project}_${name}`
}

function shownName({ project, name }: UpTenant): string {
  return project === defaultProject ? name : `${project}/${name}`
}

function contextOf(name: string, { url, certificateAuthority }: RunningServer, token: string): KubeconfigContext {
  return { name, server: url, certificateAuthority, token }
}

/** Connects through the platform, as all other clients do. */
function tenantContext(tenant: UpTenant, platform: RunningServer, token: string): KubeconfigContext {
  const { project, name } = tenant
  return {
    ...contextOf(contextName(tenant), platform, token),
    server: `${platform.url}/kubernetes/project/${project}/virtualcluster/${name}`,
  }
}
