import { runCli } from '../../../src/cli/program.ts'
import type { Terminal } from '../../../src/cli/terminal/terminal.ts'
import { currentWatcher } from './current-watcher.ts'

/** Runs a command in this process, and shows its output to the canary. */
export function runWatchedCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const watched = (output: Terminal['stdout'], stream: 'stdout' | 'stderr'): Terminal['stdout'] => {
    const look = currentWatcher()?.follow(() => ({ at: 'output', command: ['tenant', ...args], stream }))
    return {
      ...output,
      write: (text: string) => {
        look?.(text)
        return output.write(text)
      },
    }
  }
  return runCli(args, {
    ...terminal,
    stdout: watched(terminal.stdout, 'stdout'),
    stderr: watched(terminal.stderr, 'stderr'),
  })
}
