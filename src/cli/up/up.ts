import { systemClock } from '../../base/clock.ts'
import { createLog, type Log } from '../../base/log.ts'
import { loadClusterAccess } from '../../client/kubeconfig/load.ts'
import { withRoomIn } from '../../cluster/store/room-at-start.ts'
import { given } from '../arguments/given.ts'
import { logFormat } from '../arguments/log-format.ts'
import { tracingOf } from '../arguments/trace-parents.ts'
import { announce } from '../local-platforms/announce.ts'
import { warn } from '../output/messages.ts'
import { print } from '../output/print.ts'
import { createProgress, quietProgress } from '../output/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { untilStopped } from '../until-stopped.ts'
import { requireOwnWritable } from '../writable-directory.ts'
import { calledAs } from './called-as.ts'
import type { UpCommandOptions } from './options.ts'
import { startUp } from './start-up.ts'
import { welcome } from './welcome.ts'

export async function up(
  { store, logLevel, logFormat: format, traceParents, hostContext, ...options }: UpCommandOptions,
  terminal: Terminal,
): Promise<void> {
  await requireOwnWritable(options.directory)
  const realHost = hostContext === undefined ? undefined : await hostOf(hostContext, options.host, terminal)
  const log = createLog({ level: logLevel, format: logFormat(format, terminal) })
  const tracing = await tracingOf(traceParents, 'tenant-up', terminal)
  const progress = terminal.stderr.isTTY === true ? await createProgress(terminal) : quietProgress
  const started = withRoomIn(options.directory, () =>
    startUp({ ...options, ...given({ realHost, tracing }), platformStore: store, log, progress }),
  )
  const running = await started.finally(() => progress.stop())
  const withdraw = announced(options.directory, terminal, log)
  // Listen before printing `ready`: a process that waits for it may stop this one at once.
  const stopped = untilStopped()
  print(terminal, `${welcome(running, calledAs(process.argv[1]))}ready\n`)
  await stopped
  withdraw()
  await running.stop()
  await tracing?.tracing.stop()
  log.flush()
}

async function hostOf(context: string, address: string, terminal: Terminal) {
  const access = await loadClusterAccess({ env: terminal.env, clock: systemClock, context })
  if (!address.startsWith('127.')) return { context, access, reachedAt: address }
  warn(
    terminal,
    `Pods of ${context} cannot reach ${address}: they run, and find neither names nor the API of their virtual cluster`,
  )
  return { context, access }
}

/** The platform also works if other commands cannot find it. */
function announced(directory: string, terminal: Terminal, log: Log): () => void {
  try {
    return announce(directory, terminal)
  } catch (error) {
    log.warn('other commands will not find this platform by themselves; give them --driver local', { error })
    return () => {}
  }
}
