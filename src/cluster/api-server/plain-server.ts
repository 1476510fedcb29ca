import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import type { StaticToken } from '../../auth/static-tokens.ts'
import { errorText } from '../../base/error-text.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { writeWhole } from '../../base/files/write-whole.ts'
import type { Log } from '../../base/log.ts'
import { defaultServiceNetwork } from '../../registry/allocation/service-allocator.ts'
import { clusters } from '../clusters.ts'
import { type LocalIdentity, localIdentity } from '../identity/server-identity.ts'
import { printKubeconfig } from '../kubeconfig.ts'
import { imitatedVersion } from '../server-version.ts'
import { type EngineChoices, type RunningServer, type ServerOptions, startServer } from '../start-server.ts'
import { withRoomIn } from '../store/room-at-start.ts'

export interface PlainServerOptions {
  readonly directory: string
  /** In the format of `openStore`. Absent: in the directory. */
  readonly store?: string
  readonly port: number
  /** Users besides the administrator. */
  readonly tokens: readonly StaticToken[]
  /** CIDR. */
  readonly serviceRange: string
  readonly controllers: 'all' | 'none'
  readonly webhookCredentials?: EngineChoices['webhookCredentials']
  readonly electionTimes?: EngineChoices['electionTimes']
  readonly log: Log
  readonly onStoreLost?: ServerOptions['onStoreLost']
}

export interface PlainServer extends Pick<RunningServer, 'url' | 'certificateAuthority' | 'stop'> {
  /** File with a kubeconfig for the administrator. */
  readonly kubeconfig: string
  /** The administrator's token. */
  readonly token: string
}

const name = 'apiserver'

/** Only the engine: no node, no scheduler, and nothing of the platform. */
export async function startPlainServer(options: PlainServerOptions): Promise<PlainServer> {
  const { directory } = options
  requireWritable(directory)
  let identity: LocalIdentity | undefined
  const server = await withRoomIn(directory, () =>
    startServer({
      name,
      directory,
      store: options.store ?? `file:${join(directory, name)}`,
      cluster: clusters.apiServer,
      version: imitatedVersion(),
      // After the store is open: the files of a directory belong to the process that has its store.
      identity: async () => {
        identity = await localIdentity({ directory, name, tokens: options.tokens })
        return identity
      },
      port: options.port,
      engine: {
        network: { ...defaultServiceNetwork, serviceCidr: options.serviceRange },
        controllers: options.controllers,
        webhookCredentials: options.webhookCredentials,
        ...(options.electionTimes && { electionTimes: options.electionTimes }),
      },
      log: options.log,
      ...(options.onStoreLost && { onStoreLost: options.onStoreLost }),
    }),
  )
  const { url, certificateAuthority, stop } = server
  const token = identity?.admin.kept.value ?? ''
  const kubeconfig = join(directory, 'kubeconfig')
  writeWhole(kubeconfig, printKubeconfig([{ name, server: url, certificateAuthority, token }]))
  return { url, certificateAuthority, kubeconfig, token, stop }
}

function requireWritable(directory: string): void {
  try {
    makeDirectory(directory)
    accessSync(directory, constants.W_OK | constants.X_OK)
  } catch (error) {
    const reason = errorText(error)
    throw new Error(`cannot keep data in ${directory} (${reason}): choose a directory that can be written`)
  }
}
