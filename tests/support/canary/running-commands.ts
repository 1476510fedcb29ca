import type { ChildProcess } from 'node:child_process'
import { currentWatcher } from './current-watcher.ts'

/** Tells the canary what a shell does from now on: whether it may print a key depends on that. */
export function nowRuns(shell: ChildProcess, commands: string): void {
  currentWatcher()?.commands.set(shell, ['bash', ...commands.split(/\s+/)])
}
