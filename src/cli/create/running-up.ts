import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isJsonObject } from '../../base/json/member.ts'
import type { Terminal } from '../terminal.ts'

/** A `tenant up` on this machine, as it describes itself in `up.json`. */
export interface RunningUp {
  readonly pid: number
  readonly platformUrl: string
  readonly directory: string
}

/** Nothing if none runs with the usual data directory. */
export async function runningUp({ env }: Terminal): Promise<RunningUp | undefined> {
  const file = join(env.HOME || homedir(), '.tenant', 'data', 'up.json')
  const described = parsed(await readFile(file, 'utf8').catch(() => ''))
  const { pid, platform } = isJsonObject(described) ? described : {}
  const url = isJsonObject(platform) ? platform.url : undefined
  if (typeof pid !== 'number' || typeof url !== 'string' || !isAlive(pid)) return undefined
  return { pid, platformUrl: url, directory: dirname(file) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
