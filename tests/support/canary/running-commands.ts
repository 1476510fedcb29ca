import type { ChildProcess } from 'node:child_process'
import { currentWatcher } from './current-watcher.ts'

/** Tells the canary what a shell runs from now on: this decides whether it may print a key. */
export function nowRuns(shell: ChildProcess, commands: string): void {
  currentWatcher()?.commands.set(shell, ['bash', ...commands.split(/\s+/)])
}
