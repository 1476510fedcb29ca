import { resolve } from 'node:path'
import type { StaticToken } from '../../auth/static-tokens.ts'
import { parseTokenFile } from '../../auth/token-file.ts'
import { errorText } from '../../base/error-text.ts'
import { createLog } from '../../base/log.ts'
import { UsageError } from '../../base/usage-error.ts'
import { electionTimes } from '../../client/lease/times.ts'
import { readAdmissionConfig } from '../../cluster/api-server/admission-config.ts'
import { startPlainServer } from '../../cluster/api-server/plain-server.ts'
import { logFormat } from '../arguments/log-format.ts'
import { warn } from '../output/messages.ts'
import { print } from '../output/print.ts'
import { shrinkHeapAfterStart } from '../run/heap-at-rest.ts'
import { keepHeapSmall, letHeapGrow } from '../small-heap.ts'
import { readInputText } from '../terminal/read-text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { untilStopped } from '../until-stopped.ts'
import type { ApiServerFlags } from './options.ts'

const longestTokenFile = 1024 * 1024

/** Runs the API server in this process until it is stopped. */
export async function apiServer(flags: ApiServerFlags, terminal: Terminal): Promise<void> {
  const tokens = flags.tokenAuthFile === undefined ? [] : await tokensIn(flags.tokenAuthFile, terminal)
  const { admissionControlConfigFile: file } = flags
  const webhookCredentials = file === undefined ? undefined : await readAdmissionConfig(file)
  const log = createLog({ level: flags.logLevel, format: logFormat(flags.logFormat, terminal) })
  letHeapGrow()
  const server = await startPlainServer({
    directory: resolve(flags.dataDir),
    ...(flags.store === undefined ? {} : { store: flags.store }),
    port: flags.port,
    tokens,
    serviceRange: flags.serviceClusterIpRange,
    controllers: flags.controllers,
    webhookCredentials,
    electionTimes: electionTimes(flags.leaderElectLeaseDuration),
    log,
  })
  keepHeapSmall()
  // Before printing: a script that waits for the output may stop the server immediately.
  const stopped = untilStopped()
  print(terminal, `apiserver ${server.url}\nkubeconfig ${server.kubeconfig}\nready\n`)
  const endShrinking = shrinkHeapAfterStart()
  await stopped
  endShrinking()
  await server.stop()
  log.flush()
}

async function tokensIn(file: string, terminal: Terminal): Promise<readonly StaticToken[]> {
  const { text, name } = await readInputText(file, terminal)
  if (text.length > longestTokenFile) throw new UsageError(`${name} has more than ${longestTokenFile} characters`)
  const { tokens, warnings } = parsed(text, name)
  for (const each of warnings) warn(terminal, `${name}, ${each}`)
  return tokens
}

function parsed(text: string, name: string) {
  try {
    return parseTokenFile(text)
  } catch (error) {
    throw new UsageError(`${name}, ${errorText(error)}`)
  }
}
