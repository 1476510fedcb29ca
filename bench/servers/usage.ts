import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** What processes have used so far. */
export interface Usage {
  readonly cpuSeconds: number
  readonly residentBytes: number
}

export function usageOf(processIds: readonly number[]): Usage {
  const each = processIds.map((id) => (existsSync(`/proc/${id}/stat`) ? linuxUsage(id) : portableUsage(id)))
  return {
    cpuSeconds: each.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    residentBytes: each.reduce((sum, { residentBytes }) => sum + residentBytes, 0),
  }
}

/** The unit of times in /proc, whatever the kernel itself uses. */
const ticksPerSecond = 100

function linuxUsage(processId: number): Usage {
  const stat = readFileSync(`/proc/${processId}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  const status = readFileSync(`/proc/${processId}/status`, 'utf8')
  const kibibytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0)
  return { cpuSeconds: ticks / ticksPerSecond, residentBytes: kibibytes * 1024 }
}

function portableUsage(processId: number): Usage {
  const [time = '', kibibytes = '0'] = execFileSync('ps', ['-o', 'time=,rss=', '-p', String(processId)], {
    encoding: 'utf8',
  })
    .trim()
    .split(/\s+/)
  const cpuSeconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return { cpuSeconds, residentBytes: Number(kibibytes) * 1024 }
}

/**
 * How long the main thread of a process was ready to run while another one had the core, so far. 0 if the kernel does
 * not report it.
 */
export function waitedMsOf(processId: number): number {
  const file = `/proc/${processId}/schedstat`
  if (!existsSync(file)) return 0
  const [, waitedNs = '0'] = readFileSync(file, 'utf8').split(' ')
  return Number(waitedNs) / 1e6
}
