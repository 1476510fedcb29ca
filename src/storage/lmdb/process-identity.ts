import { readFileSync, readlinkSync } from 'node:fs'

/**
 * Tells a process from any other, also from a later one with the same number. A number means nothing outside of its
 * namespace (container) and boot, so those belong to it.
 */
export interface ProcessIdentity {
  readonly pid: number
  /** In clock ticks since the boot; empty where /proc is not there to tell. */
  readonly startTime: string
  readonly boot: string
  readonly namespace: string
}

export function ownIdentity(): ProcessIdentity {
  return { pid: process.pid, startTime: startTimeOf(process.pid), boot: bootId(), namespace: pidNamespace() }
}

/** `unseen`: it ran in another container or before the last boot, so it cannot be seen from here. */
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
  // The command, in parentheses, may hold anything; the 20th field after it is the start time.
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
