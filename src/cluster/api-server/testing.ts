import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { StaticToken } from '../../auth/static-tokens.ts'
import { silentLog } from '../../base/log.ts'
import { addressRange } from '../../registry/allocation/address-range.ts'
import { defaultServiceNetwork } from '../../registry/allocation/service-allocator.ts'
import { readAdmissionConfig } from './admission-config.ts'
import { type PlainServer, startPlainServer } from './plain-server.ts'
import type { ApiServerOptions, ApiServerUser, RunningApiServer } from './public-types.d.ts'

/** `tenant-platform/testing`: an API server in the process of a test. */
export async function startApiServer(options: ApiServerOptions = {}): Promise<RunningApiServer> {
  const checked = check(options)
  const isOwn = options.dataDir === undefined
  const directory = isOwn ? mkdtempSync(join(tmpdir(), 'tenant-apiserver-')) : resolve(options.dataDir)
  const removeOwn = () => {
    if (isOwn) rmSync(directory, { recursive: true, force: true })
  }
  let server: PlainServer | undefined
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= (server?.stop() ?? Promise.resolve()).finally(removeOwn)
    return stopped
  }
  try {
    const webhookCredentials = await credentialsIn(options)
    // The process belongs to the caller and continues when the store is lost.
    const onStoreLost = () => void stop()
    server = await startPlainServer({ ...checked, directory, webhookCredentials, log: silentLog, onStoreLost })
    const { url, kubeconfig, token, certificateAuthority } = server
    return { url, kubeconfig, token, certificateAuthority, dataDir: directory, stop }
  } catch (error) {
    removeOwn()
    throw error
  }
}

async function credentialsIn({ admissionControlConfigFile: file }: ApiServerOptions) {
  return file === undefined ? undefined : readAdmissionConfig(file)
}

/** Checks at run time, because tests in JavaScript have no compiler. */
function check({
  port = 0,
  users = [],
  serviceClusterIpRange: serviceRange = defaultServiceNetwork.serviceCidr,
  controllers = 'all',
}: ApiServerOptions) {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new TypeError(`port: ${port} is not a whole number from 0 to 65535`)
  }
  if (controllers !== 'all' && controllers !== 'none') {
    throw new TypeError(`controllers: ${JSON.stringify(controllers)} is neither "all" nor "none"`)
  }
  addressRange(serviceRange)
  return { port, tokens: users.map(tokenOf), serviceRange, controllers }
}

function tokenOf({ token, user, uid, groups = [] }: ApiServerUser, index: number): StaticToken {
  if (!token || !user) throw new TypeError(`users[${index}]: token and user must be given`)
  return { token, name: user, groups, ...(uid !== undefined && { uid }) }
}
