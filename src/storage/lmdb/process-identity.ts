import { readFileSync, readlinkSync } from 'node:fs'

/**
 * Distinguishes a process from any other, including a later one with the same pid. A pid means nothing outside its
 * namespace (container) and boot, so they are part of the identity.
 */
export interface ProcessIdentity {
  readonly pid: number
  /** In clock ticks since boot; empty where /proc is missing. */
  readonly startTime: string
  readonly boot: string
  readonly namespace: string
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTime: startTimeOf(process.pid), boot: bootId(), namespace: pidNamespace() }
}

/** `unseen`: the process ran in another container or before the last boot, so it is invisible from here. */
export type Liveness = 'running' | 'gone' | 'unseen'

export function livenessOf(identity: ProcessIdentity): Liveness {
  if (identity.boot !== bootId() || identity.namespace !== pidNamespace()) return 'unseen'
  if (!exists(identity.pid)) return 'gone'
  return identity.startTime === startTimeOf(identity.pid) ? 'running' : 'gone'
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function startTimeOf(pid: number): string {
  const stat = readOr(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // The command, in parentheses, may contain anything; the 20th field after it is the start time.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

function bootId(): string {
  return readOr(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim())
}

function pidNamespace(): string {
  return readOr(() => readlinkSync('/proc/self/ns/pid'))
}

function readOr(read: () => string): string {
  try {
    return read()
  } catch {
    return ''
  }
}
