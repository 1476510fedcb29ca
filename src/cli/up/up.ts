import { createLog, type Log } from '../../base/log.ts'
import { announce } from '../local-platforms/announce.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { untilStopped } from '../until-stopped.ts'
import type { UpCommandOptions } from './options.ts'
import { startUp } from './start-up.ts'
import { welcome } from './welcome.ts'

export async function up({ store, logLevel, ...options }: UpCommandOptions, terminal: Terminal): Promise<void> {
  const log = createLog({ level: logLevel })
  const running = await startUp({ ...options, platformStore: store, log })
  const withdraw = announced(options.directory, terminal, log)
  terminal.stdout.write(`${welcome(running)}ready\n`)
  await untilStopped()
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
