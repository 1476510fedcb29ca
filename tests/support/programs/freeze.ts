import { existsSync, readdirSync, readFileSync } from 'node:fs'

const patienceMs = 240_000

/**
 * Stops a process without ending it, and returns when it has stopped: a signal takes a moment, in which the process may
 * still answer.
 */
export function freeze(pid: number | undefined): void {
  if (pid === undefined || pid === 0) return
  process.kill(pid, 'SIGSTOP')
  const deadline = performance.now() + patienceMs
  while (!hasStopped(pid)) {
    if (performance.now() > deadline) throw new Error(`process ${pid} has not stopped`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
  }
}

/** Whether all of its threads have stopped, or it has ended. */
function hasStopped(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).every((thread) => {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
      return 'TtZX'.includes(stat.charAt(stat.lastIndexOf(')') + 2))
    })
  } catch {
    return !existsSync(`/proc/${pid}`)
  }
}
