import { createLog, type Log } from '../../base/log.ts'
import { withRoomIn } from '../../cluster/room-at-start.ts'
import { announce } from '../local-platforms/announce.ts'
import { print } from '../output/print.ts'
import { createProgress, quietProgress } from '../output/progress.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { untilStopped } from '../until-stopped.ts'
import { calledAs } from './called-as.ts'
import type { UpCommandOptions } from './options.ts'
import { startUp } from './start-up.ts'
import { welcome } from './welcome.ts'

export async function up({ store, logLevel, ...options }: UpCommandOptions, terminal: Terminal): Promise<void> {
  const log = createLog({ level: logLevel })
  const progress = terminal.stderr.isTTY === true ? await createProgress(terminal) : quietProgress
  const started = withRoomIn(options.directory, () => startUp({ ...options, platformStore: store, log, progress }))
  const running = await started.finally(() => progress.stop())
  const withdraw = announced(options.directory, terminal, log)
  // Listen before printing `ready`: a process that waits for it may stop this one at once.
  const stopped = untilStopped()
  print(terminal, `${welcome(running, calledAs(process.argv[1]))}ready\n`)
  await stopped
  withdraw()
  await running.stop()
  log.flush()
}

/** It works without being found, too. */
function announced(directory: string, terminal: Terminal, log: Log): () => void {
  try {
    return announce(directory, terminal)
  } catch (error) {
    log.warn('other commands will not find this platform by themselves; give them --driver local', { error })
    return () => {}
  }
}
