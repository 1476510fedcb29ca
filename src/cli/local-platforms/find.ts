import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asJson, asMembers } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'
import { upDataDirectory } from '../arguments/data-directory.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { descriptionFile, placesDirectory } from './places.ts'

/** A `tenant up` on this machine, as it describes itself. */
export interface LocalPlatform {
  readonly pid: number
  readonly url: string
  readonly directory: string
}

/** The running ones of this user. */
export async function localPlatforms(terminal: Pick<Terminal, 'env'>): Promise<readonly LocalPlatform[]> {
  const directories = new Set([upDataDirectory(terminal.env), ...(await announced(placesDirectory(terminal)))])
  const described = await Promise.all([...directories].map(describedIn))
  return described.filter((platform) => platform !== undefined).filter(({ pid }) => isAlive(pid))
}

/** Whether a platform is one of them, under any name of this machine. */
export async function isLocalPlatform(url: string, terminal: Pick<Terminal, 'env'>): Promise<boolean> {
  const wanted = onThisMachine(url)
  return (await localPlatforms(terminal)).some((platform) => onThisMachine(platform.url) === wanted)
}

function onThisMachine(text: string): string {
  return text.replace(/^https:\/\/(?:localhost|\[::1\])(?=[:/]|$)/, 'https://127.0.0.1')
}

async function announced(places: string): Promise<readonly string[]> {
  const names = await readdir(places).catch(() => [])
  const texts = await Promise.all(names.map((name) => readFile(join(places, name), 'utf8').catch(() => '')))
  return texts.map((text) => text.trim()).filter((text) => text !== '')
}

async function describedIn(directory: string): Promise<LocalPlatform | undefined> {
  const described = asJson(await readFile(descriptionFile(directory), 'utf8').catch(() => ''))
  const { pid, platform } = asMembers(described)
  const url = isJsonObject(platform) ? platform.url : undefined
  return typeof pid === 'number' && typeof url === 'string' ? { pid, url, directory } : undefined
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
